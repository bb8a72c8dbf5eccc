"""Tables and lists of a home: leaderboards, standings, matches, histories."""
