"""The command line: reads options, calls one function of the rooms below, prints the answer."""
