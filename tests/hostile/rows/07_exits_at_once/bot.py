import sys

print("no such model", file=sys.stderr)
sys.exit(3)
