"""Tree search in any game: for bots that look ahead, for explanations and for hints."""

from engines.core.knowledge import Knowledge, lead
from engines.search.exact import Solver
from engines.search.known import PLAIN, knowledge_of
from engines.search.tree import Entry, Search

__all__ = ["PLAIN", "Entry", "Knowledge", "Search", "Solver", "knowledge_of", "lead"]
