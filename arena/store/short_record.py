"""A record of instant answers as bytes of the store: only the values that are its own; for speed.

To write a record's text and deflate it takes as long as six decisions of instant bots. Where every
answer came within a millisecond and nothing went wrong, the values alone are stored, a line each,
and reading puts them between the words of the text, which are the same in all such records. What
stands in the dictionary is referred to by its place there. Other records are left to
``packing.py``, whose bytes are fewer.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring_ascii as quoted

from arena.match.record import format_record, put_out_clock, put_out_player
from arena.model import Clock, Player, Record

__all__ = ["MARK", "lengthen", "shorten"]
