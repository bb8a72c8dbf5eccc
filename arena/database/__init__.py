"""The SQLite file as such: opened, shaped, read, in transactions that hold or fail."""
