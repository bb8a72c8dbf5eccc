"""What a match leaves behind: the record's text, its replay by the rules, checks, and leaks."""
