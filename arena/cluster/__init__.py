"""A tournament over the machines of a cluster: a coordinator, and hosts that play."""
