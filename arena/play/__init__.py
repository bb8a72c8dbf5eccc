"""Matches in this process: those that are not rated, and people and functions as players."""
