"""Results of matches → ratings, their intervals and likelihoods, leaderboards, cross tables. Pure."""
