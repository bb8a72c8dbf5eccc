import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        action = actions[0].translate({ord(d): 0xFF10 + int(d) for d in "0123456789"})
        print("play", action, decision, flush=True)
    elif verb == "quit":
        break
