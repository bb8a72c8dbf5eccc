import sys

print("arena: it cannot be confined", file=sys.stderr)
sys.exit(97)
