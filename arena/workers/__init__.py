"""Matches in, records out, over worker processes that the runner watches."""
