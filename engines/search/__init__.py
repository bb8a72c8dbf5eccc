"""Tree search in any game: for bots that look ahead, for explanations and for hints."""

from engines.search.exact import Solver
from engines.search.knowledge import PLAIN, Knowledge, knowledge_of, lead
from engines.search.tree import Entry, Search

__all__ = ["PLAIN", "Entry", "Knowledge", "Search", "Solver", "knowledge_of", "lead"]
