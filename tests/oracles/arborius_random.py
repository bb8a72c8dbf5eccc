"""Random Arborius: abilities of the whole grammar, decks of them, positions with boards in boards.

Everything is drawn from the ``random.Random`` given, as text, without any code of the engine.
"""

from __future__ import annotations

import random

TO_SUBJECTS = ["freeze", "rotate", "descend", "reorder", "unplay", "ascend", "exit", "enter"]
# how much likelier than others a verb is drawn, if there is one of it
WEIGHTS = {"attack": 6, "use": 4, "chain": 4, "enter": 0.7, "exit": 0.3, "unplay": 0.15, "end": 0.5}
Cell = tuple[int, int]
Board = dict[Cell, list[str]]


def deck(rng: random.Random, size: int, able: float) -> list[str]:
    """Draw a tile list in which a share ``able`` of the tiles has an ability.

    The deck keeps to a few verbs, so that its abilities often chain.
    """
    verbs = rng.sample([*TO_SUBJECTS, "attack", "play"], rng.randrange(2, 6))
    theme = rng.random()
    if theme < 0.4:
        verbs.append("attack")
    elif theme < 0.6:  # nothing that moves a tile but attacks and their gifts
        verbs = ["attack", "rotate", "freeze"]
        rng.shuffle(verbs)
    return [f"t{i}[{ability(rng, verbs)}]" if rng.random() < able else "plain" for i in range(size)]


def ability(rng: random.Random, verbs: list[str]) -> str:
    """Draw an ability with these verbs, or any that the grammar allows.

    Many begin with the first of the verbs, and do it to neighbours: these chain to each other.
    """
    while True:
        some = verbs if rng.random() < 0.8 else [*TO_SUBJECTS, "attack", "play"]
        words = [icon(rng, some) for _ in range(rng.choice([1, 2, 2, 2, 2, 3, 3, 4]))]
        if rng.random() < 0.5:
            words[0] = verbs[0]
        if len(words) > 1 and rng.random() < 0.4 and verbs[0] != "play":
            words[-1] = f"{verbs[0]}.adj{rng.choice([1, 1, 2])}"
        if rng.random() < 0.2:
            words = ["defend", *words]
        actions = sum(int(word[-1]) if ".adj" in word else 1 for word in words)
        if actions <= 5 and words != ["play"]:
            return ";".join(words)


def icon(rng: random.Random, verbs: list[str]) -> str:
    verb = rng.choice(verbs)
    stack = ".stack" if verb in TO_SUBJECTS and rng.random() < 0.25 else ""
    where = rng.random()
    if verb in TO_SUBJECTS and where < 0.15:
        return f"{verb}{stack}.front"
    if verb in (*TO_SUBJECTS, "attack") and where > 0.65:
        return f"{verb}{stack}.adj{rng.choice([1, 1, 1, 2, 2, 3])}"
    return verb + stack


def position(rng: random.Random, white: list[str], black: list[str]) -> str:
    """Draw a turn's start: most tiles in play, in high stacks and inside each other."""
    tiles = [f"w{i}" for i in range(len(white))] + [f"b{i}" for i in range(len(black))]
    actor = rng.randrange(2)
    order = tiles[:]
    rng.shuffle(order)
    boards: dict[str, Board] = {"root": {}}
    room = {"root": shape(rng, rng.randrange(3, 8), [])}
    words: dict[str, str] = {}
    if rng.random() < 0.4 and min(len(white), len(black)) > 2:
        duel(rng, order, "wb"[actor], boards, words)
        room["root"] = [c for c in shape(rng, 6, [(0, 0), (0, 1)]) if c not in boards["root"]]
        room.update({name: shape(rng, 4, [(0, 0), (1, 0), (1, 1)]) for name in words})
    dead, used = set(), set()
    icy, absent = rng.choice([0.0, 0.0, 0.15, 0.3]), rng.choice([0.0, 0.1, 0.3])
    nested = rng.uniform(0.2, 0.7)
    for tile in order:
        if rng.random() < 0.05:
            dead.add(tile)
        elif rng.random() >= absent:
            inside = [name for name in boards if name != "root"]
            name = rng.choice(inside) if inside and rng.random() < nested else "root"
            boards[name].setdefault(free_cell(rng, boards[name], room[name]), []).append(tile)
            words[tile] = tile + rng.choice("NESW") + ("*" if rng.random() < icy else "")
            boards[tile] = {}
            room[tile] = shape(rng, rng.randrange(1, 6), [])
        if rng.random() < 0.03:
            used.add(tile)
    able = {tile for tile, text in zip(tiles, white + black, strict=True) if "[" in text}
    tokens = [f"turn={rng.randrange(5)} phase=turn actor={actor}"]
    tokens += [f"w={','.join(white)} b={','.join(black)}"]
    for name in ["root", *tiles]:
        cells = sorted(boards.get(name, {}).items())
        texts = [f"{x},{y}:{'+'.join(words[t] for t in stack)}" for (x, y), stack in cells]
        if texts or name == "root":
            tokens.append(f"{name}={'|'.join(texts) or '-'}")
    tokens.append(f"dead={','.join(t for t in tiles if t in dead) or '-'}")
    tokens.append(f"used={','.join(t for t in tiles if t in used & able) or '-'}")
    return " ".join([*tokens, "hit=- run=- offer=- give=- result=-"])


def duel(
    rng: random.Random,
    order: list[str],
    colour: str,
    boards: dict[str, Board],
    words: dict[str, str],
) -> None:
    """Let a tile of this colour stand before, and over, one that survives its attack.

    The tiles are taken out of ``order``.
    """
    attacker = next(t for t in order if t[0] == colour)
    defender = next(t for t in order if t[0] != colour)
    rest = [t for t in order if t not in (attacker, defender)][:4]
    order[:] = [t for t in order if t not in (attacker, defender, *rest)]
    boards["root"] = {(0, 0): [rest[0], attacker], (0, 1): [defender]}
    boards |= {tile: {} for tile in (attacker, defender, *rest)}
    boards[attacker][0, 0] = [rest[1]]
    for cell, tile in zip([(0, 0), (1, 0)], rest[2:], strict=False):
        boards[defender][cell] = [tile]
    words |= {tile: tile + rng.choice("NESW") for tile in (defender, *rest)}
    words[attacker] = attacker + "N"


def shape(rng: random.Random, size: int, cells: list[Cell]) -> list[Cell]:
    """Draw a contiguous set of cells that holds these; without them it lies anywhere."""
    cells = cells or [rng.choice([(0, 0), (0, 0), (rng.randrange(-3, 4), rng.randrange(-3, 4))])]
    while len(cells) < size:
        x, y = rng.choice(cells)
        cell = (x + rng.randrange(-1, 2), y + rng.randrange(-1, 2))
        if cell not in cells:
            cells = [*cells, cell]
    return cells


def free_cell(rng: random.Random, board: Board, room: list[Cell]) -> Cell:
    """Draw a cell of the room for the next tile of a board that stays contiguous."""
    reached = [c for c in room if not board or any(beside(c, other) for other in board)]
    return rng.choice(reached)


def beside(a: Cell, b: Cell) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1


def pick_action(rng: random.Random, legal: list[str]) -> str:
    """Draw an action by its verb first, so that abilities and attacks are not lost among plays."""
    verbs = sorted({action.split(":")[0] for action in legal})
    weights = [WEIGHTS.get(verb, 1.0) for verb in verbs]
    verb = rng.choices(verbs, weights)[0]
    return rng.choice([action for action in legal if action.split(":")[0] == verb])
