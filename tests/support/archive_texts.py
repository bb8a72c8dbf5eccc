"""Archives as bytes, made by hand where the libraries are too well-behaved to make them."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Sequence

END_OF_TAR = b"\0" * 1024


def tar_header(name: str, size: int = 0, kind: bytes = b"0", *, mode: int = 0o644) -> bytes:
    """Return the header of one entry of a tar archive, with the size it claims."""
    info = tarfile.TarInfo(name)
    info.size, info.type, info.mode = 0, kind, mode
    if kind in b"12":
        info.linkname = "/etc/passwd"
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if 0 <= size < 8**11:
        block[124:136] = b"%011o\0" % size
    else:  # base 256, as GNU writes what does not fit
        block[124:136] = (b"\x80" if size >= 0 else b"\xff") + size.to_bytes(11, "big", signed=True)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block)


def tar(*entries: tuple[str, bytes] | bytes) -> bytes:
    """Return a tar archive of files, or of blocks as they are."""
    out = []
    for entry in entries:
        if isinstance(entry, bytes):
            out.append(entry)
        else:
            name, content = entry
            out += [tar_header(name, len(content)), content, b"\0" * (-len(content) % 512)]
    return b"".join([*out, END_OF_TAR])


def pax(*records: str) -> bytes:
    """Return an extended header with records ``key=value``, for the entry that follows."""
    text = b""
    for record in records:
        body = f" {record}\n".encode()
        length = len(body)
        while length != len(body) + len(str(length)):
            length = len(body) + len(str(length))
        text += str(length).encode() + body
    return tar_header("pax", len(text), b"x") + text + b"\0" * (-len(text) % 512)


def gz(data: bytes) -> bytes:
    """Return bytes packed by gzip."""
    return gzip.compress(data, 6, mtime=0)


def zip_of(*entries: tuple[str, bytes], mode: int = 0, system: int = 3) -> bytes:
    """Return a zip archive of files with a Unix mode."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # that a name is there twice
        for name, content in entries:
            info = zipfile.ZipInfo(name)
            info.create_system, info.external_attr = system, mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def zip_with(data: bytes, changes: Sequence[tuple[str, int, str, int]]) -> bytes:
    """Return a zip archive with fields of its only entry changed.

    Args:
        data: an archive with one entry.
        changes: where (``local`` header or ``central`` list), the field's offset there, its
            ``struct`` format, and the value.
    """
    changed = bytearray(data)
    starts = {"local": data.index(b"PK\x03\x04"), "central": data.index(b"PK\x01\x02")}
    for place, offset, form, value in changes:
        struct.pack_into(f"<{form}", changed, starts[place] + offset, value)
    return bytes(changed)
