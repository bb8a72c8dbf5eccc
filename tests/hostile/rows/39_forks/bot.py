import os
import signal
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
        if decision == "1":
            for _ in range(3):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        os.setpgid(0, 0)
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    for descriptor in (0, 1, 2):
                        os.close(descriptor)
                    time.sleep(3600)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
