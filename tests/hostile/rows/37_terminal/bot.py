import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        try:
            with open("/dev/tty", "w") as terminal:
                terminal.write("PWNED")
            found = "open"
        except OSError:
            found = "none"
        print(f"info tty={found}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
