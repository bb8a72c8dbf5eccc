"""stub"""
from engines.the_tree.table import Table
def draw(table: Table, to: int, viewer: int | None) -> str:
    return ""
