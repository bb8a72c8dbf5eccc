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
            try:
                for number in range(100_000):
                    open(f"/tmp/f{number}", "w").close()
            except OSError:
                pass
            try:
                with open("/tmp/sparse", "wb") as file:
                    file.truncate(1 << 40)
            except OSError:
                pass
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
