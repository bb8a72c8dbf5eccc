import os
import resource
import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        resource.setrlimit
        kept = b"x" * (64 << 20)
        os.abort()
    elif verb == "quit":
        break
