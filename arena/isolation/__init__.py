"""Isolation on this machine: which level works, tried for real; builds and probes run at it."""
