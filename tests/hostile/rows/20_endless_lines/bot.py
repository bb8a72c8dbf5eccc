import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        while True:
            print("log more\n" * 1000, end="", flush=True)
    elif verb == "quit":
        break
