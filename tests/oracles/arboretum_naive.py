"""Build Your Arboretum once more, slowly, from its page alone (docs/rules)."""

from __future__ import annotations

from itertools import combinations

SUITS = "PQRSTUVW"
CELLS = [f"{column}{row}" for column in "ABCDEF" for row in range(1, 7)]
SPECIAL = {"dig": 0, "hire": 1, "start": 2}


def adjacent(a: str, b: str) -> bool:
    """Return whether two cells share a side."""
    return abs(ord(a[0]) - ord(b[0])) + abs(ord(a[1]) - ord(b[1])) == 1


def listed(cards: list[str]) -> str:
    """Write cards as the page does."""
    return ",".join(cards) or "-"


def bids_of(parrots: int, largest: int | None = None) -> list[list[str]]:
    """Return every ordered list of groups, sizes never growing, that uses so many at most."""
    found: list[list[str]] = [[]]
    for size in range(1, min(parrots, parrots if largest is None else largest) + 1):
        for rest in bids_of(parrots - size, size):
            found += [[f"{size}{plan}", *rest] for plan in "bg"]
    return found


def ordered(bids: list[list[str]]) -> list[str]:
    """Write bids in the page's order: number of groups, sizes, plans."""
    bids.sort(key=lambda b: (len(b), [int(g[:-1]) for g in b], "".join(g[-1] for g in b)))
    return ["bid:" + ("-".join(bid) or "-") for bid in bids]


class Table:
    """All that lies on the table, changed by each action."""

    def __init__(self, deck: str, advantage: int) -> None:
        """Lie before the first action."""
        self.deck = deck.split(",")
        self.advantage = advantage
        self.round, self.phase = 0, "first"
        self.starter = -1
        self.taken = ["-", "-", "-"]
        self.parrots = [6, 6]
        self.offering: list[str] = []
        self.refuse: list[str] = []
        self.removed: list[str] = []
        self.gardens: list[dict[str, str]] = [{}, {}]
        self.boards: list[list[str]] = [[], []]
        self.bids: list[str | None] = [None, None]
        self.turns: list[tuple[int, str]] = []
        self.said: list[str] = []

    def to_act(self) -> list[int]:
        """Return who owes an action."""
        if self.phase == "first":
            return [self.advantage]
        if self.phase == "bid":
            return [p for p in (0, 1) if self.bids[p] is None]
        return [self.turns[0][0]] if self.phase == "play" else []

    def usable(self, player: int) -> int:
        """Return how many parrots a bid of the player may use."""
        least = self.round == 1 and player == self.starter
        return min(5, self.parrots[player]) if least else self.parrots[player]

    def legal(self, player: int) -> list[str]:
        """Return the actions of a player, in the page's order."""
        if self.phase == "first":
            return ["first:0", "first:1"]
        if self.phase == "bid":
            return ordered(bids_of(self.usable(player)))
        return [*self.doable(player, self.turns[0][1]), "skip"]

    def doable(self, player: int, plan: str) -> list[str]:
        """Return what fits a plan, but for the skip."""
        found = []
        free = [name for name, place in SPECIAL.items() if self.taken[place] == "-"]
        if plan == "g":
            garden = self.gardens[player]
            cells = [c for c in CELLS if c not in garden]
            if garden:
                cells = [c for c in cells if any(adjacent(c, other) for other in garden)]
            found += [f"plant:{card}:{cell}" for card in self.offering for cell in cells]
            if "dig" in free:
                found += [f"dig:{card}:{cell}" for card in self.refuse for cell in cells]
        else:
            board = self.boards[player]
            for card in self.offering:
                found += [f"take:{card}"] if len(board) < 7 else []
                found += [f"take:{card}:{other}" for other in board] if len(board) == 7 else []
            for count in range(1, len(board) + 1) if "hire" in free else ():
                for cards in combinations(board, count):
                    if sum(int(card[1]) for card in cards) >= self.parrots[player] + 1:
                        found.append("hire:" + ",".join(cards))
        return found + (["start"] if "start" in free else [])

    def play(self, player: int, action: str) -> list[str]:
        """Do a legal action and all that follows by itself; return what is said."""
        self.said = []
        word, *rest = action.split(":")
        if word == "first":
            self.starter = int(rest[0])
            self.begin()
        elif word == "bid":
            self.bids[player] = rest[0]
            if not self.to_act():
                self.reveal()
        else:
            self.turns.pop(0)
            self.do(player, word, rest)
            self.go_on()
        return self.said

    def begin(self) -> None:
        """Start the next round."""
        self.round, self.phase = self.round + 1, "bid"
        count = 5 if self.round <= 5 else 6 if self.round <= 8 else 7
        self.offering = sorted(self.offering + self.deck[:count])
        del self.deck[:count]
        self.bids = [None, None]
        self.said.append(
            f"round {self.round} starter {self.starter} parrots {self.both(self.parrots)}"
            f" offer {listed(self.offering)}"
        )

    def reveal(self) -> None:
        """Make the turn track as the page's lines do."""
        groups = [[] if bid in (None, "-") else str(bid).split("-") for bid in self.bids]
        for size in range(17, 0, -1):
            who = self.starter
            while any(int(group[:-1]) == size for side in groups for group in side):
                mine = [group for group in groups[who] if int(group[:-1]) == size]
                if mine:
                    self.turns.append((who, mine[0][-1]))
                    groups[who].remove(mine[0])
                who = 1 - who
        self.turns = self.turns[:9]
        self.said += [f"bids {self.bids[0]}/{self.bids[1]}", f"turns {self.track()}"]
        self.phase = "play"
        self.go_on()

    def do(self, player: int, word: str, rest: list[str]) -> None:
        """Do what a turn is used for."""
        if word in SPECIAL:
            self.taken[SPECIAL[word]] = str(player)
        if word == "skip":
            self.turns = [turn for turn in self.turns if turn[0] != player]
        elif word in ("plant", "dig"):
            (self.offering if word == "plant" else self.refuse).remove(rest[0])
            self.gardens[player][rest[1]] = rest[0]
        elif word == "take":
            self.offering.remove(rest[0])
            self.boards[player].append(rest[0])
            for card in rest[1:]:
                self.boards[player].remove(card)
                self.offering.append(card)
        elif word == "hire":
            for card in rest[0].split(","):
                self.boards[player].remove(card)
                self.offering.append(card)
            self.parrots[player] += 1
        self.offering.sort()
        self.boards[player].sort()

    def go_on(self) -> None:
        """Skip for whoever can do nothing, and end the round once no turn is left."""
        while self.turns and not self.doable(*self.turns[0]):
            player = self.turns[0][0]
            self.turns = [turn for turn in self.turns if turn[0] != player]
            self.said.append(f"forced-skip {player}")
        if self.turns:
            return
        gone = self.refuse
        self.removed = sorted(self.removed + gone)
        self.refuse, self.offering = self.offering, []
        self.starter = self.next_starter()
        self.taken = ["-", "-", "-"]
        self.said.append(
            f"end {self.round} starter {self.starter} removed {listed(gone)}"
            f" refuse {listed(self.refuse)}"
        )
        if self.round < 11:
            self.begin()
            return
        self.phase = "over"
        self.said += [f"score {what} {a}/{b}" for what, (a, b) in self.points().items()]
        self.said.append(f"total {self.both(self.totals())}")

    def next_starter(self) -> int:
        """Return who starts once this round is over."""
        return self.starter if self.taken[2] == "-" else int(self.taken[2])

    def points(self) -> dict[str, tuple[int, int]]:
        """Return what each player would score now, by what for."""
        more = self.parrots[0] - self.parrots[1]
        starter = self.next_starter()
        found = {
            "parrots": (2 * max(0, more), 2 * max(0, -more)),
            "starter": (int(starter == 0), int(starter == 1)),
        }
        for suit in SUITS:
            sums = [self.strength(player, suit) for player in (0, 1)]
            paths = [best(self.gardens[player], suit) for player in (0, 1)]
            found[suit] = (
                paths[0] if sums[0] >= sums[1] else 0,
                paths[1] if sums[1] >= sums[0] else 0,
            )
        return found

    def strength(self, player: int, suit: str) -> int:
        """Return what a player's ad board says for a suit."""
        numbers = [int(card[1]) for card in self.boards[player] if card[0] == suit]
        cancelled = suit + "1" in self.boards[1 - player]
        return sum(0 if number == 8 and cancelled else number for number in numbers)

    def totals(self) -> tuple[int, int]:
        """Return the scores, as if the game were over."""
        both = self.points().values()
        return sum(a for a, _ in both), sum(b for _, b in both)

    def ranks(self) -> tuple[int, int]:
        """Return who is first."""
        a, b = self.totals()
        return (1, 2) if a > b or (a == b and self.advantage == 0) else (2, 1)

    @staticmethod
    def both(numbers: list[int] | tuple[int, int]) -> str:
        """Write a number of each player."""
        return f"{numbers[0]}/{numbers[1]}"

    def track(self) -> str:
        """Write the turns to come."""
        return ",".join(f"{player}{plan}" for player, plan in self.turns) or "-"

    def text(self, viewer: int | None = None) -> str:
        """Write what a player sees, or everything."""
        bids = "-"
        if self.phase == "bid":
            hidden = [viewer is not None and viewer != player for player in (0, 1)]
            shown = ["." if bid is None else bid for bid in self.bids]
            bids = "/".join("?" if hidden[p] else shown[p] for p in (0, 1))
        gardens = [
            ",".join(f"{cards[cell]}@{cell}" for cell in sorted(cards)) or "-"
            for cards in self.gardens
        ]
        deck = self.deck if viewer is None else ["?"] * len(self.deck)
        fields = [
            str(self.round), self.phase, "-" if self.starter < 0 else str(self.starter),
            "".join(self.taken), self.both(self.parrots), listed(self.offering),
            listed(self.refuse), listed(self.removed), listed(deck), *gardens,
            listed(self.boards[0]), listed(self.boards[1]), bids,
            self.track() if self.phase == "play" else "-",
        ]  # fmt: skip
        return " ".join(fields)


def best(garden: dict[str, str], suit: str) -> int:
    """Return the points of the best path of a suit, found by walking all of them."""

    def walk(cell: str, path: list[str]) -> int:
        found = worth(path, suit)
        for other in garden:
            if adjacent(cell, other) and garden[other][1] > path[-1][1]:
                found = max(found, walk(other, [*path, garden[other]]))
        return found

    return max((walk(c, [card]) for c, card in garden.items() if card[0] == suit), default=0)


def worth(path: list[str], suit: str) -> int:
    """Return what one path scores."""
    if len(path) < 2 or path[0][0] != suit or path[-1][0] != suit:
        return 0
    pure = len(path) >= 4 and all(card[0] == suit for card in path)
    return len(path) * (2 if pure else 1) + (path[0][1] == "1") + 2 * (path[-1][1] == "8")
