"""Arborius read a second time, slowly: plain dicts and sets, written from the rules page alone.

It shares no code and no idea with ``engines.arborius``; random play holds the two against each
other. Positions come in as observations that are taken to be right. Sections are those of
docs/rules/arborius.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

Cell = tuple[int, int]
Place = tuple[str, Cell, str]  # board, cell, facing

STEP = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
LEFT = {"N": "W", "W": "S", "S": "E", "E": "N"}
RIGHT = {"N": "E", "E": "S", "S": "W", "W": "N"}
MUST_BE_TOP = {"unplay", "reorder", "descend", "ascend", "enter", "exit"}


@dataclass
class Run:
    """One ability under way."""

    user: str
    printed: str
    next: int
    place: Place
    done: list[str]


@dataclass
class Position:
    """Everything an observation says, and the two parameters that end a game."""

    turn: int
    phase: str
    actor: int
    tiles: dict[str, str]  # id -> "name" or "name[ability]", in tile order
    boards: dict[str, dict[Cell, list[str]]]  # stacks bottom to top; no empty board or stack
    facing: dict[str, str]
    frozen: set[str]
    dead: set[str]
    used: set[str]
    hit: set[str]
    run: list[Run]
    offer: tuple[str, Place, list[str]] | None
    give: tuple[str, str, int] | None
    result: str
    max_turns: int
    cap: str


@dataclass
class Icon:
    """One icon: verb, ``.stack``, and ``.front``, ``.adj`` (``n`` times) or nothing."""

    verb: str
    stack: bool
    where: str
    n: int


# Text (section 8)


def read(text: str, max_turns: int = 200, cap: str = "tiles") -> Position:
    """Read an observation; at the start of a turn the game may end at once (section 4)."""
    value = dict(token.split("=", 1) for token in text.split(" "))
    tiles = {}
    for colour in "wb":
        if value[colour] != "-":
            for number, tile in enumerate(value[colour].split(",")):
                tiles[f"{colour}{number}"] = tile
    facing: dict[str, str] = {}
    frozen: set[str] = set()
    boards: dict[str, dict[Cell, list[str]]] = {}
    for name in ["root", *tiles]:
        if value.get(name, "-") != "-":
            boards[name] = {}
            for part in value[name].split("|"):
                cell, stack = part.split(":")
                boards[name][read_cell(cell)] = []
                for word in stack.split("+"):
                    match = re.fullmatch(r"([wb]\d+)([NESW])(\*?)", word)
                    assert match
                    boards[name][read_cell(cell)].append(match[1])
                    facing[match[1]] = match[2]
                    if match[3]:
                        frozen.add(match[1])
    run = []
    if value["run"] != "-":
        for part in value["run"].split("|"):
            user, printed, following, board, cell, face, done = part.split("/")
            chosen = [] if done == "-" else done.split("+")
            run.append(Run(user, printed, int(following), (board, read_cell(cell), face), chosen))
    offer = None
    if value["offer"] != "-":
        x, board, cell, face, ps = value["offer"].split("/")
        offer = (x, (board, read_cell(cell), face), ps.split("+"))
    give = None
    if value["give"] != "-":
        a, d, left = value["give"].split("/")
        give = (a, d, int(left))
    pos = Position(
        turn=int(value["turn"]),
        phase=value["phase"],
        actor=int(value["actor"]),
        tiles=tiles,
        boards=boards,
        facing=facing,
        frozen=frozen,
        dead=read_set(value["dead"]),
        used=read_set(value["used"]),
        hit=read_set(value["hit"]),
        run=run,
        offer=offer,
        give=give,
        result=value["result"],
        max_turns=max_turns,
        cap=cap,
    )
    if pos.phase == "turn" and not pos.run and not pos.offer and not pos.give:
        end_conditions(pos)
    return pos


def read_cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def read_set(text: str) -> set[str]:
    return set() if text == "-" else set(text.split(","))


def write(pos: Position) -> str:
    """Write the observation of a position."""
    tokens = [f"turn={pos.turn}", f"phase={pos.phase}", f"actor={pos.actor}"]
    for colour in "wb":
        listed = [tile for t, tile in pos.tiles.items() if t[0] == colour]
        tokens.append(f"{colour}={','.join(listed) or '-'}")
    shown = ["root", *[t for t in pos.tiles if t in pos.boards]]
    tokens += [f"{name}={write_board(pos, name)}" for name in shown]
    for key, ids in (("dead", pos.dead), ("used", pos.used), ("hit", pos.hit)):
        tokens.append(f"{key}={','.join(t for t in pos.tiles if t in ids) or '-'}")
    runs = [
        f"{r.user}/{r.printed}/{r.next}/{write_place(r.place)}/{'+'.join(r.done) or '-'}"
        for r in pos.run
    ]
    tokens.append(f"run={'|'.join(runs) or '-'}")
    offer = "-"
    if pos.offer:
        x, place, ps = pos.offer
        offer = f"{x}/{write_place(place)}/{'+'.join(ps)}"
    tokens.append(f"offer={offer}")
    tokens.append("give=" + (f"{pos.give[0]}/{pos.give[1]}/{pos.give[2]}" if pos.give else "-"))
    tokens.append(f"result={pos.result}")
    return " ".join(tokens)


def write_place(place: Place) -> str:
    return f"{place[0]}/{place[1][0]},{place[1][1]}/{place[2]}"


def write_board(pos: Position, name: str) -> str:
    parts = []
    for (x, y), stack in sorted(pos.boards.get(name, {}).items()):
        words = [t + pos.facing[t] + ("*" if t in pos.frozen else "") for t in stack]
        parts.append(f"{x},{y}:{'+'.join(words)}")
    return "|".join(parts) or "-"


def copy(pos: Position) -> Position:
    """Return a position of which nothing that changes is shared with the one given."""
    return replace(
        pos,
        boards={
            name: {cell: list(stack) for cell, stack in board.items()}
            for name, board in pos.boards.items()
        },
        facing=dict(pos.facing),
        frozen=set(pos.frozen),
        dead=set(pos.dead),
        used=set(pos.used),
        hit=set(pos.hit),
        run=[replace(run, done=list(run.done)) for run in pos.run],
    )


# Things (section 1)


def owner(t: str) -> int:
    return "wb".index(t[0])


def spot(pos: Position, t: str) -> tuple[str, Cell] | None:
    """Return the board and cell of a tile in play."""
    for name, board in pos.boards.items():
        for cell, stack in board.items():
            if t in stack:
                return name, cell
    return None


def in_deck(pos: Position, t: str) -> bool:
    return t not in pos.dead and spot(pos, t) is None


def height(pos: Position, name: str, cell: Cell) -> int:
    return len(pos.boards.get(name, {}).get(cell, []))


def top(pos: Position, name: str, cell: Cell) -> str | None:
    stack = pos.boards.get(name, {}).get(cell)
    return stack[-1] if stack else None


def is_top(pos: Position, t: str) -> bool:
    at = spot(pos, t)
    return at is not None and top(pos, *at) == t


def level(pos: Position, t: str) -> int:
    at = spot(pos, t)
    assert at
    return pos.boards[at[0]][at[1]].index(t) + 1


def forward(cell: Cell, face: str) -> Cell:
    return cell[0] + STEP[face][0], cell[1] + STEP[face][1]


def neighbours(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def active(pos: Position, name: str) -> bool:
    return name == "root" or enabled(pos, name)


def enabled(pos: Position, t: str) -> bool:
    at = spot(pos, t)
    return at is not None and is_top(pos, t) and t not in pos.frozen and active(pos, at[0])


def contiguous(pos: Position) -> bool:
    for board in pos.boards.values():
        reached = {next(iter(board))}
        while True:
            more = {n for cell in reached for n in neighbours(cell) if n in board} - reached
            if not more:
                break
            reached |= more
        if reached != set(board):
            return False
    return True


def abilities(pos: Position, t: str) -> set[str]:
    found = {t} if icons(pos, t) else set()
    for stack in pos.boards.get(t, {}).values():
        if stack[-1] not in pos.frozen:
            found |= abilities(pos, stack[-1])
    return found


def attack_value(pos: Position, t: str) -> int:
    return max((len(stack) for stack in pos.boards.get(t, {}).values()), default=0)


def icons(pos: Position, t: str) -> list[Icon]:
    """Return the icons printed on a tile, none if it has no ability (section 3)."""
    if "[" not in pos.tiles[t]:
        return []
    found = []
    for word in pos.tiles[t].split("[")[1].rstrip("]").split(";"):
        verb, *modifiers = word.split(".")
        icon = Icon(verb, False, "", 1)
        for modifier in modifiers:
            if modifier == "stack":
                icon.stack = True
            elif modifier == "front":
                icon.where = "front"
            else:
                icon.where, icon.n = "adj", int(modifier.removeprefix("adj"))
        found.append(icon)
    return found


# What happens to tiles: these change the position they are given


def pick_up(pos: Position, name: str, cell: Cell, count: int) -> list[str]:
    """Take the top ``count`` tiles off a cell."""
    stack = pos.boards[name][cell]
    taken = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    if not stack:
        del pos.boards[name][cell]
    if not pos.boards[name]:
        del pos.boards[name]
    return taken


def put_down(pos: Position, name: str, cell: Cell, tiles: list[str]) -> None:
    pos.boards.setdefault(name, {}).setdefault(cell, []).extend(tiles)


def shift(pos: Position, t: str, count: int, name: str, cell: Cell) -> None:
    """Move the top ``count`` tiles of the stack of ``t`` onto a cell."""
    at = spot(pos, t)
    assert at
    put_down(pos, name, cell, pick_up(pos, *at, count))


def slide_under(pos: Position, name: str, cell: Cell, attacker: str) -> None:
    """Slide a whole stack to the bottom of the attacker's cell."""
    loot = pick_up(pos, name, cell, height(pos, name, cell))
    at = spot(pos, attacker)
    assert at
    pos.boards[at[0]][at[1]][:0] = loot


def leave(pos: Position, t: str) -> None:
    """Take one tile off its cell and forget its facing and freeze; its inside is not touched."""
    at = spot(pos, t)
    assert at
    name, cell = at
    pos.boards[name][cell].remove(t)
    if not pos.boards[name][cell]:
        del pos.boards[name][cell]
    if not pos.boards[name]:
        del pos.boards[name]
    del pos.facing[t]
    pos.frozen.discard(t)


def unplay(pos: Position, t: str) -> None:
    for stack in list(pos.boards.get(t, {}).values()):
        for inner in list(stack):
            unplay(pos, inner)
    leave(pos, t)


def attack(pos: Position, a: str, d: str) -> None:
    x = attack_value(pos, a)
    if len(pos.boards.get(d, {})) <= x:
        for cell in sorted(pos.boards.get(d, {})):
            slide_under(pos, d, cell, a)
        leave(pos, d)
        pos.dead.add(d)
        pos.hit.discard(d)
    else:
        pos.give = (a, d, x)
        if pos.phase == "turn" and owner(d) != pos.actor:
            pos.hit.add(d)


# What may be done: pairs of an action and the position after it, contiguity checked, completion not


def candidates(pos: Position) -> Iterator[tuple[str, Position]]:
    """Yield what sections 1 to 6.3 and 7 allow next; ``settle`` has not yet ended the turn."""
    if pos.give:
        found = gives(pos)
    elif pos.run:
        found = under_way(pos)
    elif pos.offer:
        found = only_offer(pos)
    elif pos.phase == "defend":
        found = defence(pos)
    else:
        found = turn_start(pos)
    for action, after in found:
        if contiguous(after):
            yield action, after


def under_way(pos: Position) -> Iterator[tuple[str, Position]]:
    yield from steps(pos)
    yield from chains(pos)


def only_offer(pos: Position) -> Iterator[tuple[str, Position]]:
    yield from chains(pos)
    after = copy(pos)
    after.offer = None
    yield "end", after


def gives(pos: Position) -> Iterator[tuple[str, Position]]:
    assert pos.give
    a, d, left = pos.give
    for cell in pos.boards[d]:
        after = copy(pos)
        slide_under(after, d, cell, a)
        after.give = (a, d, left - 1) if left > 1 else None
        yield f"give:{d}:{cell[0]},{cell[1]}", after


def turn_start(pos: Position) -> Iterator[tuple[str, Position]]:
    for t in pos.tiles:
        if owner(t) != pos.actor:
            continue
        if in_deck(pos, t):
            yield from basic_play(pos, t)
        at = spot(pos, t)
        if at and is_top(pos, t) and active(pos, at[0]) and t in pos.frozen:
            after = copy(pos)
            after.frozen.remove(t)
            yield f"thaw:{t}", after
        if enabled(pos, t):
            yield from basic_actions(pos, t)
            for p in abilities(pos, t):
                if icons(pos, p)[0].verb not in ("play", "defend") and fresh(pos, p):
                    yield f"use:{t}:{p}", begin(pos, t, p, 0)


def basic_play(pos: Position, t: str) -> Iterator[tuple[str, Position]]:
    for name in pos.boards:
        if not active(pos, name):
            continue
        for ally_cell, stack in pos.boards[name].items():
            ally = stack[-1]
            if owner(ally) == pos.actor and enabled(pos, ally):
                for face in STEP:
                    yield from play(pos, t, name, ally_cell, face)


def play(
    pos: Position, t: str, name: str, faced: Cell, face: str
) -> Iterator[tuple[str, Position]]:
    """Yield the play of ``t`` so that it faces a cell, with the offer it makes (section 6.3)."""
    x, y = faced[0] - STEP[face][0], faced[1] - STEP[face][1]
    under = top(pos, name, (x, y))
    if under is not None and owner(under) != pos.actor:
        return
    after = copy(pos)
    put_down(after, name, (x, y), [t])
    after.facing[t] = face
    remember(pos, after)
    if after.run:
        advance(after, t)
    make_offer(pos, after, "play", t)
    yield f"play:{t}:{name}:{x},{y}:{face}", after


def basic_actions(pos: Position, t: str) -> Iterator[tuple[str, Position]]:
    at = spot(pos, t)
    assert at
    name, cell = at
    high = height(pos, name, cell)
    front = forward(cell, pos.facing[t])
    for k in range(1, high + 1):
        if height(pos, name, front) <= high - k + 1:
            after = copy(pos)
            shift(after, t, k, name, front)
            yield f"move:{t}:{k}", after
    d = top(pos, name, front)
    if d and attack_value(pos, t) >= 1 and level(pos, d) < level(pos, t):
        after = copy(pos)
        attack(after, t, d)
        yield f"attack:{t}:{d}", after
    after = copy(pos)
    unplay(after, t)
    yield f"unplay:{t}", after
    yield from entries(pos, t, 1)
    yield from exits(pos, t, 1)


def entries(pos: Position, t: str, k: int) -> Iterator[tuple[str, Position]]:
    at = spot(pos, t)
    assert at
    face = pos.facing[t]
    u = top(pos, at[0], forward(at[1], face))
    if u is None:
        return
    inside = pos.boards.get(u, {})
    back = {"N": "S", "S": "N", "E": "W", "W": "E"}[face]
    landings = {forward(cell, back) for cell in inside} - set(inside) if inside else {(0, 0)}
    for cell in landings:
        after = copy(pos)
        shift(after, t, k, u, cell)
        yield f"enter:{t}:{k}:{cell[0]},{cell[1]}", after


def exits(pos: Position, t: str, k: int) -> Iterator[tuple[str, Position]]:
    at = spot(pos, t)
    assert at
    if at[0] == "root":
        return
    container = spot(pos, at[0])
    assert container
    name, cell = container
    goal = forward(cell, pos.facing[t])
    if height(pos, name, goal) <= height(pos, name, cell):
        after = copy(pos)
        shift(after, t, k, name, goal)
        yield f"exit:{t}:{k}", after


def defence(pos: Position) -> Iterator[tuple[str, Position]]:
    yield from defend_uses(pos)
    yield "pass", copy(pos)


def defend_uses(pos: Position) -> Iterator[tuple[str, Position]]:
    for d in pos.hit:
        if owner(d) == pos.actor and enabled(pos, d):
            for p in abilities(pos, d):
                if icons(pos, p)[0].verb == "defend" and fresh(pos, p):
                    yield f"use:{d}:{p}", begin(pos, d, p, 1)


def fresh(pos: Position, p: str) -> bool:
    """Return whether an ability may be used: once a turn, and no more than six of them."""
    return p not in pos.used and len(pos.used) < 6


def begin(pos: Position, user: str, p: str, following: int) -> Position:
    after = copy(pos)
    after.used.add(p)
    place = place_of(pos, user)
    assert place
    after.run.append(Run(user, p, following, place, []))
    return after


def place_of(pos: Position, t: str) -> Place | None:
    at = spot(pos, t)
    return (at[0], at[1], pos.facing[t]) if at else None


# Abilities (section 6)


def chains(pos: Position) -> Iterator[tuple[str, Position]]:
    if pos.offer is None:
        return
    x, place, ps = pos.offer
    for p in ps:
        after = copy(pos)
        after.offer = None
        after.used.add(p)
        after.run.append(Run(x, p, 1, place, []))
        yield f"chain:{x}:{p}", after


def steps(pos: Position) -> Iterator[tuple[str, Position]]:
    run = pos.run[-1]
    icon = icons(pos, run.printed)[run.next]
    name, cell, face = run.place
    user = run.user
    present = spot(pos, user) is not None
    if not active(pos, name):
        return
    if icon.verb == "play":
        if present:
            for t in pos.tiles:
                if owner(t) == pos.actor and in_deck(pos, t):
                    for f in STEP:
                        yield from play(pos, t, name, cell, f)
        return
    if icon.verb == "attack":
        if present and attack_value(pos, user) >= 1:
            for d in others(pos, icon, name, cell, face):
                if level(pos, d) < level(pos, user):
                    after = copy(pos)
                    attack(after, user, d)
                    yield done(pos, after, f"attack:{user}:{d}", "attack", user, d)
        return
    if icon.where:
        subjects = [s for s in others(pos, icon, name, cell, face) if s not in pos.frozen]
    elif present and (is_top(pos, user) or icon.verb not in MUST_BE_TOP):
        subjects = [user]
    else:
        subjects = []
    for s in subjects:
        for action, after in effects(pos, icon, s):
            yield done(pos, after, action, icon.verb, s, s)


def others(pos: Position, icon: Icon, name: str, cell: Cell, face: str) -> list[str]:
    """Return the tiles other than the user that an icon may mean (section 6.1)."""
    if icon.where == "adj":
        found = [top(pos, name, n) for n in neighbours(cell)]
        return [t for t in found if t is not None and t not in pos.run[-1].done]
    t = top(pos, name, forward(cell, face))
    return [] if t is None else [t]


def effects(pos: Position, icon: Icon, s: str) -> Iterator[tuple[str, Position]]:
    """Yield the ways to do an icon to a subject (the table of section 6.2)."""
    at = spot(pos, s)
    assert at
    name, cell = at
    stack = pos.boards[name][cell]
    high = len(stack)
    if icon.verb == "rotate":
        for letter, turned in (("L", LEFT), ("R", RIGHT)):
            after = copy(pos)
            for t in stack if icon.stack else [s]:
                after.facing[t] = turned[pos.facing[t]]
            yield f"rotate:{s}:{letter}", after
    elif icon.verb == "freeze":
        if s not in pos.frozen:
            after = copy(pos)
            after.frozen |= set(stack) if icon.stack else {s}
            yield f"freeze:{s}", after
    elif icon.verb == "unplay":
        after = copy(pos)
        for t in stack if icon.stack else [s]:
            unplay(after, t)
        yield f"unplay:{s}", after
    elif icon.verb == "reorder":
        for k in range(1, high) if icon.stack else [1]:
            for p in range(high - k):
                after = copy(pos)
                rest, block = stack[: high - k], stack[high - k :]
                after.boards[name][cell] = rest[:p] + block + rest[p:]
                yield f"reorder:{s}:{k}:{p}", after
    else:
        for k in range(1, high + 1) if icon.stack else [1]:
            yield from movements(pos, icon.verb, s, k)


def movements(pos: Position, verb: str, s: str, k: int) -> Iterator[tuple[str, Position]]:
    if verb == "enter":
        yield from entries(pos, s, k)
        return
    if verb == "exit":
        yield from exits(pos, s, k)
        return
    at = spot(pos, s)
    assert at
    name, cell = at
    goal = forward(cell, pos.facing[s])
    base = height(pos, name, cell) - k
    rise = height(pos, name, goal) - base
    if (verb == "descend" and base >= 1 and rise < 0) or (verb == "ascend" and rise == 1):
        after = copy(pos)
        shift(after, s, k, name, goal)
        yield f"{verb}:{s}:{k}", after


def done(
    pos: Position, after: Position, action: str, verb: str, x: str, chosen: str
) -> tuple[str, Position]:
    """Finish a step: last places, the next icon, the offer."""
    remember(pos, after)
    advance(after, chosen)
    make_offer(pos, after, verb, x)
    return action, after


def remember(pos: Position, after: Position) -> None:
    """Keep every user's current place, or its last one if it has just left play."""
    for run in after.run:
        run.place = place_of(after, run.user) or place_of(pos, run.user) or run.place


def advance(after: Position, chosen: str) -> None:
    run = after.run[-1]
    icon = icons(after, run.printed)[run.next]
    run.done.append(chosen)
    if len(run.done) == icon.n:
        run.next += 1
        run.done = []
    if run.next == len(icons(after, run.printed)):
        after.run.pop()


def make_offer(pos: Position, after: Position, verb: str, x: str) -> None:
    """Offer chains to the subject of a step (section 6.3); ``pos`` is just before it."""
    after.offer = None
    if owner(x) != pos.actor:
        return
    if verb == "play":
        own = {x}
    elif enabled(pos, x):
        own = abilities(pos, x)
    else:
        own = set()
    ps = []
    for p in pos.tiles:
        if p in own and fresh(after, p) and len(icons(pos, p)) >= 2:
            first = icons(pos, p)[0]
            if first.verb == verb and first.where == "":
                ps.append(p)
    place = place_of(after, x) or place_of(pos, x)
    if ps and place:
        after.offer = (x, place, ps)


def completable(pos: Position, memo: dict[str, bool]) -> bool:
    """Return whether all that is under way can be completed (section 6.4)."""
    if not pos.run:
        return True
    key = write(pos)
    if key not in memo:
        answers = (completable(after, memo) for _, after in candidates(pos))
        adverse = pos.give is not None and owner(pos.give[1]) != pos.actor
        memo[key] = all(answers) if adverse else any(answers)
    return memo[key]


# The public part: who acts, what is legal, what comes of it


def to_act(pos: Position) -> int | None:
    """Return the player who owes an action, ``None`` at the end."""
    if pos.result != "-":
        return None
    return owner(pos.give[1]) if pos.give else pos.actor


def legal(pos: Position) -> list[str]:
    """Return the legal actions of the player to act."""
    if pos.result != "-":
        return []
    memo: dict[str, bool] = {}
    return sorted(action for action, after in candidates(pos) if completable(after, memo))


def apply(pos: Position, action: str) -> Position:
    """Return the position after a legal action."""
    after = dict(candidates(pos))[action]
    settle(after, passed=action == "pass")
    return after


def settle(pos: Position, passed: bool) -> None:
    """End the turn part, and the turn, if nothing is left to do in it (sections 2, 6.3 and 7)."""
    if pos.give or pos.run:
        return
    if pos.offer:
        memo: dict[str, bool] = {}
        if any(completable(after, memo) and contiguous(after) for _, after in chains(pos)):
            return
        pos.offer = None
    if pos.phase == "turn":
        pos.phase, pos.actor = "defend", 1 - pos.actor
    if not passed and can_defend(pos):
        return
    # the defender, who is the actor by now, has the next turn
    pos.phase = "turn"
    pos.turn += 1
    pos.used, pos.hit = set(), set()
    end_conditions(pos)


def can_defend(pos: Position) -> bool:
    memo: dict[str, bool] = {}
    return any(completable(after, memo) for _, after in defend_uses(pos))


def end_conditions(pos: Position) -> None:
    if pos.result != "-":
        return
    if not legal(pos):
        pos.result = "wb"[1 - pos.actor]
    elif pos.turn >= pos.max_turns:
        pos.result = "draw"
        if pos.cap == "tiles":
            alive = [0, 0]
            able = [0, 0]
            for t in pos.tiles:
                alive[owner(t)] += t not in pos.dead
                able[owner(t)] += enabled(pos, t)
            for count in (able, alive):
                if count[0] != count[1]:
                    pos.result = "w" if count[0] > count[1] else "b"
