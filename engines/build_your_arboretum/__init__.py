"""Build Your Arboretum: bid parrots for turns, plant paths of cards, advertise to score them."""

from engines.build_your_arboretum.game import BuildYourArboretum

GAME = BuildYourArboretum
