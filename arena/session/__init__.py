"""Real processes in one match: the loop that asks, what watches them, the pool of kept bots."""
