"""Small programs that the doctor runs: a bot that attacks, and the victim it attacks."""
