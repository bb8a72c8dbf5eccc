"""YAML text → ``Tournament``: the one place where tournament files are read and compared.

A file is read in three steps: ``yaml_text`` makes plain values of it and keeps the place of each,
``shape`` and ``complaints`` check every value by itself, and ``several_keys`` checks whether the
right values fit each other. Each message names the file, line, column and key. ``parse``,
``shape`` and ``yaml_text`` import pydantic or PyYAML, so they are imported where a file is read.
"""
