import sys
import time

for line in sys.stdin:
    verb = line.split()[0]
    if verb == "hello":
        print("ready", flush=True)
    elif verb == "go":
        for character in "play " + "E" * 100_000:
            print(character, end="", flush=True)
            time.sleep(0.01)
