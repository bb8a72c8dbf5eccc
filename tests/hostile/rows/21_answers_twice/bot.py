import os
import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        # in one write: two could be so far apart that the second is asked for by then
        os.write(1, f"play {actions[0]}\nplay {actions[0]}\n".encode())
    elif verb == "quit":
        break
