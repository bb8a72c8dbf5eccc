"""A tournament from its file to its last match; ``runner.py`` is the spine."""
