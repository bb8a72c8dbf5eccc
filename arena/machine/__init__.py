"""This machine and our own processes: ``/proc``, logs, crash points, retries, files of others."""
