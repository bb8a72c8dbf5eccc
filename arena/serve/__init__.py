"""The pages of a home, live, for a browser: reads the store, and nothing else."""
