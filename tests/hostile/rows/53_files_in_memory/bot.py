import mmap
import sys
import time

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        kept = []
        while True:
            place = mmap.mmap(-1, 8 << 20)
            place.write(b"x" * (8 << 20))
            kept.append(place)
            time.sleep(0.005)
    elif verb == "quit":
        break
