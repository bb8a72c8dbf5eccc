"""Who meets whom, where they sit and on which deal: a tournament and what was played → matches.

Everything here is pure: no clock, file, process or global random. A format is one module with
``FORMAT = …``, and ``formats`` lists them.
"""
