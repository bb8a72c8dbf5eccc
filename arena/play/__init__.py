"""One match that is not rated, and people and functions as players."""
