"""The Tree, by Néstor Romeral Andrés: dominoes of rings grow into a tree.

The rules, every ruling and all texts stand in docs/rules/the-tree.md.
"""

from engines.the_tree.game import TheTree

GAME = TheTree
