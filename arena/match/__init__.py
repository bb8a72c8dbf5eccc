"""One match as values, without a clock, process or file: protocol, clock, referee."""
