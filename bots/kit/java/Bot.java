import java.io.BufferedReader;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
 *
 * The arena writes lines to our standard input and reads our standard output; nothing but the
 * protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where
 * you want to look around. The class must be called as the file is.
 */
public class Bot {
    static final String NAME = "my-bot";
    static final String VERSION = "1";
    static final String WANT = "obs,legal"; // what we want to be sent, of: obs legal did event

    /** What the arena told us about the match we are in. */
    static class Match {
        String game = ""; // the rules: "leaves" or "leaves(tree=plus)"
        int seat = 0, players = 2; // we are player `seat` of `players`, counted from 0
        Map<String, Long> clock = new HashMap<>(); // limits in milliseconds: main, inc, move, first
        SplittableRandom random = new SplittableRandom(0); // so that a match can be played again
        String setup; // the starting position, if the game hides nothing of it
        List<Action> actions = new ArrayList<>(); // so far; want=did
        List<String> events = new ArrayList<>(); // what became known; want=event
        String observation = ""; // the position as we may know it; want=obs
        List<String> legal = new ArrayList<>(); // the legal actions, at most 10,000; want=legal
        boolean legalIsPart; // there are more than 10,000: these were drawn among them
    }

    /** What a player did, "?" if we may not know it. */
    record Action(int player, String text) {}

    static Match match = new Match();

    /**
     * Return one of `match.legal`; this is the place to be clever. `limitMs` are the milliseconds
     * for this answer, `leftMs` those on our clock for the whole match; null where there is no limit.
     */
    static String choose(Long leftMs, Long limitMs) {
        if (match.legal.isEmpty()) giveUp("choose needs the legal actions: put legal into WANT");
        return match.legal.get(match.random.nextInt(match.legal.size()));
    }

    /** Write one line to the arena at once: a line that waits in a buffer costs the match. */
    static void send(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** Keep a line in this bot's log of the match. */
    static void log(String text) {
        send("log " + text);
    }

    /** Say why we cannot go on, and end. */
    static void giveUp(String why) {
        send("error " + why);
        System.exit(1);
    }

    /**
     * Stop here: what is typed on the terminal is the name of a field of `match`, such as legal,
     * and is answered with its value; an empty line goes on. Where there is no terminal (in a
     * match), say so and go on.
     * `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
     */
    static void debug() {
        try (BufferedReader typed = new BufferedReader(new FileReader("/dev/tty"));
                PrintWriter screen = new PrintWriter(new FileWriter("/dev/tty"), true)) {
            screen.println("debug: at " + new Throwable().getStackTrace()[1]);
            while (true) {
                screen.print("debug> ");
                screen.flush();
                String name = typed.readLine();
                if (name == null || name.isBlank()) return;
                try {
                    screen.println(Match.class.getDeclaredField(name.strip()).get(match));
                } catch (ReflectiveOperationException error) {
                    screen.println("no such field; there are " + Arrays.stream(
                            Match.class.getDeclaredFields()).map(field -> field.getName()).toList());
                }
            }
        } catch (IOException error) {
            System.err.println("debug: no terminal here (" + error.getMessage() + "), going on");
        }
    }

    /** Read the numbers among ["a=1", "b=2", "c=d"]. */
    static Map<String, Long> numbers(String[] words) {
        Map<String, Long> found = new HashMap<>();
        for (String word : words) {
            String[] pair = word.split("=", 2);
            if (pair.length == 2 && pair[1].matches("[0-9]{1,18}")) {
                found.put(pair[0], Long.valueOf(pair[1]));
            }
        }
        return found;
    }

    /** Return the next line; null at the end, also of a line that was cut off. */
    static String readLine(Reader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next; (next = in.read()) != '\n'; line.append((char) next)) {
            if (next < 0) return null;
        }
        return line.toString().stripTrailing();
    }

    public static void main(String[] args) throws IOException {
        Reader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = readLine(in)) != null;) {
            String verb = line.split(" ", 2)[0];
            String rest = line.substring(Math.min(verb.length() + 1, line.length()));
            String[] words = rest.split(" ");
            switch (verb) {
                case "hello" -> // once, first: abp 1
                    send("ready abp=1 want=" + WANT + " name=" + NAME + " version=" + VERSION);
                case "game" -> { // ID GAME: forget the last match
                    match = new Match();
                    match.game = words[1];
                }
                case "seat" -> {
                    match.seat = Integer.parseInt(words[0]);
                    match.players = Integer.parseInt(words[1]);
                }
                case "clock" -> match.clock = numbers(words);
                case "seed" -> match.random = new SplittableRandom(Long.parseLong(rest));
                case "setup" -> match.setup = rest;
                case "did" -> match.actions.add(new Action(Integer.parseInt(words[0]), words[1]));
                case "event" -> match.events.add(rest);
                case "obs" -> match.observation = rest;
                case "legal" -> match.legal = List.of(words);
                case "go" -> { // D left=… limit=…: decide, and say D with the answer
                    match.legalIsPart = rest.contains(" legal=part");
                    Map<String, Long> limits = numbers(words);
                    send("play " + choose(limits.get("left"), limits.get("limit")) + " " + words[0]);
                }
                case "bad" -> log("the arena says: " + rest); // CODE TEXT: what we did wrong
                case "quit" -> System.exit(0);
                default -> {} // `end ID rank=1/2 …`, and verbs of a later version: nothing to do
            }
        }
    }
}
