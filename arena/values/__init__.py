"""What crosses rooms: values of tournaments, matches and tables, errors, untrusted text."""
