"""Benchmarks: few and real, each against a yardstick measured in the same run."""
