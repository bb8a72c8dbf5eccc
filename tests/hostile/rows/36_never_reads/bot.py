import os
import time

while os.read(0, 1) != b"\n":
    pass
print("ready want=legal", flush=True)
time.sleep(3600)
