"""How far an edition is: the schedule applied to the store, suspensions, what is left to play."""
