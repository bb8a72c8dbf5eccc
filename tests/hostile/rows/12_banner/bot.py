print("Welcome to Oak 1.3!", flush=True)
input()
print("ready", flush=True)
input()
