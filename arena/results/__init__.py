"""Tables and lists of a home, tables of results from elsewhere, and what removes results."""
