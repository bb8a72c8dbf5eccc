"""Tables and lists of a home, and tables of results from elsewhere."""
