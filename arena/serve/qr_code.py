"""An address as a QR code, for a phone: the one door of segno, which comes with ``serve``."""

from __future__ import annotations

import segno


def qr_code(address: str) -> str:
    """Return an address as an SVG element, which asks nobody for anything."""
    code = segno.make(address, micro=False)
    return code.svg_inline(scale=4, light="#fff", title="The link as a QR code")
