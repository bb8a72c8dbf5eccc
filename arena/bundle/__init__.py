"""A tournament as one file that another machine can check, take in, and go on with."""
