"""This machine and our own processes: ``/proc``, logs, crash points, files of others."""
