"""A match that was played: verified, reproduced, played on from, logged and explained."""
