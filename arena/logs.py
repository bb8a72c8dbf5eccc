"""Log records across processes: workers send theirs through a socket to the parent's handlers.

The parent's handlers stand behind ``multiprocessing_logging``'s handler, whose queue and thread
keep logging off the runner's path. Workers may be killed at any instant, and a process killed while
it holds a shared queue's lock would block everybody else; so they write to a Unix socket instead.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import os
import pickle
import secrets
import select
import socketserver
import struct
import threading
from collections.abc import Iterator, Sequence
from typing import cast

__all__ = ["log_to", "log_to_parent"]

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@contextlib.contextmanager
def log_to(handlers: Sequence[logging.Handler], level: int = logging.INFO) -> Iterator[str]:
    """Let this process and its workers log to the handlers; yields the address for the workers.

    At the end everything logged so far has been handled, and logging is as before.
    """
    from multiprocessing_logging import MultiProcessingHandler

    root = logging.getLogger("arena")
    before = (root.level, root.propagate)
    wrapped = [MultiProcessingHandler(f"arena-{i}", sub_handler=h) for i, h in enumerate(handlers)]
    root.setLevel(level)
    root.propagate = False
    for handler in wrapped:
        root.addHandler(handler)
    # in Linux's abstract namespace: it is gone with the process, however that ends
    path = f"\0arena-log-{os.getpid()}-{secrets.token_hex(8)}"
    server = _Server(path, _Connection)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield path
    finally:
        server.shutdown()
        thread.join()
        server.finish()
        for handler in wrapped:
            root.removeHandler(handler)
            handler.close()
        root.level, root.propagate = before


def log_to_parent(path: str, level: int) -> None:
    """Send this worker's log records to the socket with this address."""
    root = logging.getLogger("arena")
    root.setLevel(level)
    root.propagate = False
    root.handlers[:] = [logging.handlers.SocketHandler(path, None)]


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = False
    block_on_close = True

    def finish(self) -> None:
        """Take in what the workers, who are gone by now, have sent; then close."""
        self.timeout = 0
        while select.select([self], [], [], 0)[0]:
            self.handle_request()
        self.server_close()  # waits for the threads of all connections


class _Connection(socketserver.StreamRequestHandler):
    """One worker's connection: length-prefixed pickled records, as ``SocketHandler`` sends them."""

    def handle(self) -> None:
        with contextlib.suppress(OSError, EOFError, ConnectionError):
            while head := self.rfile.read(4):
                if len(head) < 4:
                    return  # the worker was killed in the middle of a record
                body = self.rfile.read(struct.unpack(">L", head)[0])
                try:
                    fields = cast("dict[str, object]", pickle.loads(body))
                except (EOFError, pickle.UnpicklingError):
                    return
                record = logging.makeLogRecord(fields)
                logging.getLogger(record.name).handle(record)
