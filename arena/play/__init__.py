"""One match that nobody rates, and people as players."""
