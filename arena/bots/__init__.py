"""Bots from the names and paths people write, to entrants that are ready to start.

``program.describe`` looks at a file or folder, ``snapshots.keep`` makes a copy of it,
``ready.make_ready`` builds it and finds its programs; ``find.enter`` and ``find.enter_all`` do all
of it for one bot that somebody names, and for all lines of a tournament.
"""
