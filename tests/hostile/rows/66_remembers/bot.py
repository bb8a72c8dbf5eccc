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
        if decision == "1":
            places = ("./memory", "/tmp/memory", "/dev/shm/memory", "/var/tmp/memory")
            known = [place for place in places if os.path.exists(place)]
            for place in places:
                try:
                    with open(place, "w") as file:
                        file.write("opening")
                except OSError:
                    pass
            print(f"info known={len(known)}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
