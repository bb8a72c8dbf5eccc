"""One bot process: started, read, measured and ended; what dead runs left behind."""
