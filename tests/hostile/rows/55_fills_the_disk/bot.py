import signal
import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]

        def written(folder):
            total = 0
            try:
                for number in range(64):
                    with open(f"{folder}/f{number}", "wb") as file:
                        for _ in range(8):
                            total += file.write(b"x" * (1 << 20))
                            file.flush()
            except OSError:
                pass
            return total

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        if decision == "1":
            most = max(written(folder) for folder in ("/tmp", "/dev/shm", "/", "/dev", "/bot", "."))
            print(f"info small={'yes' if most < 20 << 20 else most}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
