"""The one place where arena's version stands."""

__version__ = "0.1.0"
