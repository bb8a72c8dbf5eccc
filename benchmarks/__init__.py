"""Benchmarks: few and real, against a yardstick measured in the same run or the limit in force."""
