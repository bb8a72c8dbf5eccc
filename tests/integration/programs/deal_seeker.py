"""Looks for what it may not know by trying seeds and names; plays its first legal action.

Its arguments are the tournament's name and the names of all who play in it. What it finds goes to
stderr, a line each:

``deal S K``: all it saw fits the deal of the tournament seed S and block K;
``name NAME …``: the id on the wire is the id of a match between these;
``seed S NAME …``: its own seed comes from the tournament seed S and a match between these.
"""

import hashlib
import sys
from itertools import combinations, product

import engines

SEEDS, BLOCKS = range(60), range(20)


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def number(text: str) -> int:
    return int.from_bytes(digest(text)[:8], "big")


class Deals:
    """The deals of small seeds that agree with all that a seat has seen."""

    def __init__(self, name: str, seat: int) -> None:
        self.seat = seat
        self.known = True  # whether all actions so far could be seen
        self.left: dict[str, engines.State] = {}
        game = engines.load_game(name)
        for seed, k in product(SEEDS, BLOCKS):
            setup = game.setup(number(f"arena/1|{seed}|deal|{name}|{k}"))
            self.left[f"deal {seed} {k}"] = game.new_initial_state(setup)

    def did(self, player: int, action: str) -> None:
        """Take over an action; nothing is compared any more once one was not seen."""
        self.known = self.known and action != "?"
        if self.known:
            for deal, state in list(self.left.items()):
                try:
                    self.left[deal] = state.apply_action(player, action)
                except engines.IllegalAction:
                    del self.left[deal]

    def see(self, observation: str) -> None:
        """Forget the deals that would look different now."""
        if self.known:
            for deal, state in list(self.left.items()):
                if state.observation(self.seat) != observation:
                    del self.left[deal]


def opponents(game: str, wire: str, own: int, tournament: str, names: list[str]) -> list[str]:
    """Return whose match the id or the bot's own seed gives away."""
    found = []
    players = engines.load_game(game).num_players
    for group, k, seating in product(combinations(sorted(names), players), BLOCKS, range(players)):
        those, meeting = " ".join(group), "+".join(group)
        if digest(f"arena/1|match|{tournament}|{game}|{meeting}|{k}|{seating}").hex()[:16] == wire:
            found.append(f"name {those}")
        for seed, seat in product(SEEDS, range(players)):
            text = f"arena/1|{seed}|bot|{game}|{meeting}|{k}|{seating}|{seat}"
            if number(text) & (1 << 63) - 1 == own:
                found.append(f"seed {seed} {those}")
    return found


def main() -> None:
    tournament, *names = sys.argv[1:]
    wire = game = ""
    seat, own, legal = 0, 0, [""]
    deals: Deals
    for line in iter(input, "quit"):
        verb, _, rest = line.partition(" ")
        if verb == "hello":
            print("ready want=obs,legal,did", flush=True)
        elif verb == "game":
            wire, game = rest.split()
            print(f"wire {wire}", file=sys.stderr)
        elif verb == "seat":
            seat = int(rest.split()[0])
        elif verb == "seed":
            own = int(rest)
            print("\n".join(opponents(game, wire, own, tournament, names)), file=sys.stderr)
            deals = Deals(game, seat)
        elif verb == "did":
            player, action = rest.split()
            deals.did(int(player), action)
        elif verb == "obs":
            deals.see(rest)
        elif verb == "legal":
            legal = rest.split()
        elif verb == "go":
            print("play", legal[0], rest.split()[0], flush=True)
        elif verb == "end":
            print("\n".join(["looked", *deals.left]), file=sys.stderr)


main()
