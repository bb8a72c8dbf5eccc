"""Finished matches as the bytes that are stored of them; there is no file or database here."""
