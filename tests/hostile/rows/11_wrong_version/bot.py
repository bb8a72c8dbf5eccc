input()
print("ready abp=99", flush=True)
input()
