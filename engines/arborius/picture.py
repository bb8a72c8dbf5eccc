"""stub"""
from engines.arborius.position import Position
def draw_text(pos: Position) -> str: return ""
