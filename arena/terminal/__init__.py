"""What the command line says and hears: streams, bars, columns, signals, files of results."""
