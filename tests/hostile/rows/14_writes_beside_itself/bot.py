import sys

for line in sys.stdin:
    verb, _, rest = line.rstrip("\n").partition(" ")
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]

        def tried(path):
            try:
                with open(path, "w") as file:
                    file.write("x")
                return "written"
            except OSError as error:
                return error.strerror.replace(" ", "_")

        print(f"info own={tried('notes')} beside={tried('/bot/notes')}", flush=True)
        print("play", actions[0], decision, flush=True)
    elif verb == "quit":
        break
