"""One home as one object, for notebooks: what can be done follows by completion."""
