import sys

print("bwrap: Creating new namespace failed: Operation not permitted", file=sys.stderr)
sys.exit(1)
