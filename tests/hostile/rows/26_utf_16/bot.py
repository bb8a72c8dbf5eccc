import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        sys.stdout.buffer.write("play E3\n".encode("utf-16"))
        sys.stdout.flush()
    elif verb == "quit":
        break
