"""What all engines share; it knows no game by name."""
