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
        if decision == "1":
            opened = []
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (5000, 5000))
            except (OSError, ValueError):
                pass
            try:
                while len(opened) < 5000:
                    opened.append(open("/dev/null"))
            except OSError:
                pass
            print(f"info many={'no' if len(opened) <= 256 else len(opened)}", flush=True)
            opened.clear()
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
