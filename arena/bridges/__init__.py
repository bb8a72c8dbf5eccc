"""Other libraries' games and learners: each module needs the extra that has its name."""
