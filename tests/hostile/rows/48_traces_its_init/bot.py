import ctypes
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
            library = ctypes.CDLL(None, use_errno=True)
            done = library.ptrace(16, 1, 0, 0)  # PTRACE_ATTACH
            print(f"info traced={'yes' if done == 0 else 'no'}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
