"""Benchmarks: few and real, always against a yardstick measured in the same run."""
