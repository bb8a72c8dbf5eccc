"""The SQLite file as such: opened, shaped, hashed row by row, in transactions that hold or fail."""
