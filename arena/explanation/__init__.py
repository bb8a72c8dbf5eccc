"""Why a match was lost: a player's decisions valued by search."""
