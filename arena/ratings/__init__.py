"""Results → ratings, their intervals and likelihoods, leaderboards, cross tables. Pure."""
