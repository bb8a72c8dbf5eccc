"""A tournament as a static site, made from what the store has of it."""
