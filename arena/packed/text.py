"""A record's text as bytes of the store, which are fewer: most of it is the same in many records.

A dictionary is a number and the text that packed records refer back to; see
``arena.store.dictionaries``. A record is deflated with it, or is its own values alone, as
``arena.packed.short`` writes them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from functools import lru_cache

__all__ = [
    "HASH_BYTES",
    "INSTANT_US",
    "LONGEST",
    "NO_DICTIONARY",
    "SHORT",
    "SHORT_BYTES",
    "Dictionary",
    "pack_bytes",
    "pack_text",
    "record_hash",
    "unpack_text",
]

Dictionary = tuple[int, bytes]

HASH_BYTES = 8  # of what is stored

NO_DICTIONARY: Dictionary = (0, b"")  # the text itself, as UTF-8
# a text may be no longer, lest bytes of a home from elsewhere fill the memory
LONGEST = 1 << 26

# what begins a short record: no deflated text does, as this would be a block of an unknown kind
SHORT = "~"
SHORT_BYTES = 1000  # longer ones are deflated
INSTANT_US = 1000  # a record with a slower answer is not short

# what suits texts of 2 to 10 kB; decision 72 has the measured sizes and times
LEVEL, WINDOW, MEMORY = 5, -13, 6  # a negative window: no header and no checksum around the bytes


def pack_text(text: str, dictionary: Dictionary = NO_DICTIONARY) -> Dictionary:
    """Return the number of the dictionary that was used, and the bytes to be stored."""
    return pack_bytes(text.encode(), dictionary)


def pack_bytes(data: bytes, dictionary: Dictionary) -> Dictionary:
    """Do the same with a text's bytes, whether they are UTF-8 or not."""
    number, common = dictionary
    if not number or len(data) > LONGEST:
        return 0, data
    packer = _primed(common).copy()
    return number, packer.compress(data) + packer.flush()


def unpack_text(number: int, data: bytes, common: bytes) -> str:
    """Return the text that was packed into ``data``.

    Args:
        number: the number of the dictionary that was used.
        data: what was stored.
        common: the text of that dictionary.

    Raises:
        ValueError: nothing was packed so, or it is longer than ``LONGEST``.
    """
    if number and data.startswith(SHORT.encode()):
        return _lengthen(data, common)
    if number:
        unpacker = zlib.decompressobj(WINDOW, common)
        try:
            data = unpacker.decompress(data, LONGEST + 1)
        except zlib.error as error:
            raise ValueError(str(error)) from None
        if not unpacker.eof or unpacker.unused_data or len(data) > LONGEST:
            raise ValueError("these bytes are too few, too many, or a text that is too long")
    return data.decode()


def record_hash(match: object, dictionary: object, data: object) -> bytes | None:
    """Return the hash of a row of ``record``; ``None`` if what should be bytes is not."""
    if not isinstance(data, bytes):
        return None
    head = f"{match}\n{dictionary}\n".encode()
    return hashlib.blake2b(head + data, digest_size=HASH_BYTES).digest()


# a copy of one that knows the dictionary saves 3 µs of 30
@lru_cache(maxsize=4)
def _primed(common: bytes) -> zlib._Compress:
    return zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY, zlib.Z_DEFAULT_STRATEGY, common)


def _lengthen(data: bytes, common: bytes) -> str:
    """Return the text of a short record; raises ``ValueError``."""
    if len(data) > SHORT_BYTES:
        raise ValueError(f"a short record of more than {SHORT_BYTES} bytes")
    lines = iter(data[len(SHORT) :].decode("ascii").split("\n"))

    def line() -> str:
        found = next(lines, None)
        if found is None:
            raise ValueError("a short record with too few lines")
        return _referred(common, found[1:]) if found.startswith("=") else found

    players, moves = map(int, line().split(" "))
    head = "".join([f"{key}{line()}" for key in _HEAD])
    seats = ",".join([_seat(line) for _ in range(players)])
    actions = ",".join([_action(line()) for _ in range(moves)])
    times = [_ms(us) for us in line().split()]
    decisions = ",".join(map(_decision, times[::2], times[1::2]))
    tail = "".join([f"{key}{line()}" for key in _TAIL])
    if next(lines, None) is not None or len(times) != 2 * moves:
        raise ValueError("a short record with too many lines, or times for other actions")
    return f'{head},"players":[{seats}],"actions":[{actions}],"decisions":[{decisions}]{tail}}}'


_HEAD = (
    *('{"format":1,"id":', ',"tournament":', ',"block":', ',"seating":', ',"game":'),
    *(',"rules_version":', ',"setup":', ',"opening":', ',"seed":', ',"clock":'),
)
_TAIL = (
    *(',"scores":', ',"ranks":', ',"by":', ',"faults":[],"arena_version":', ',"sandbox":'),
    *(',"started":', ',"elapsed_ms":'),
)


def _referred(common: bytes, place: str) -> str:
    at, size = map(int, place.split(" "))
    if not 0 <= at <= at + size <= len(common) or size > SHORT_BYTES:
        raise ValueError("a short record refers to what is not in its dictionary")
    return common[at : at + size].decode("ascii")


def _seat(line: Callable[[], str]) -> str:
    return f'{line()}{line()}","sent":{line()},"want":{line()}'


def _action(move: str) -> str:
    player, action = move.split(" ")
    return f'[{player},"{action}"]'


def _ms(us: str) -> str:
    if not 0 < int(us) <= INSTANT_US:
        raise ValueError("a short record of an answer that was not instant")
    return f"{int(us) / 1000:.3f}"


def _decision(ms: str, cpu_ms: str) -> str:
    # of so many digits each, the larger number is the later text
    return f'{{"ms":{ms},"cpu_ms":{cpu_ms},"charged_ms":{max(ms, cpu_ms)},"late":false}}'
