import os
import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        allowed = {
            "PATH",
            "HOME",
            "LANG",
            "PYTHONHASHSEED",
            "PYTHONDONTWRITEBYTECODE",
            "PYTHONPATH",
        }
        allowed |= {"ARENA_ROW", "ARENA_RUN", "PWD", "LC_CTYPE"}
        print(f"info more={','.join(sorted(os.environ.keys() - allowed)) or 'none'}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
