"""The worker process: files in by its standard input, reports out by its standard output.

Started as `python -m abuse_gate.work.document_worker`, with no environment and little memory. It
imports the readers alone: nothing of a server, an engine or a provider.

It says one byte when it is ready. A question is two lengths, a kind and the file's bytes; an answer
is a length and JSON.
"""

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any, BinaryIO, Final, cast, get_args

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.documents.open import open_document

QUESTION: Final = struct.Struct(">HQ")
ANSWER: Final = struct.Struct(">Q")
READY: Final = b"r"
# There is no such module on Windows.
_RESOURCE: Final[Any] = import_module("resource") if find_spec("resource") else None
_PARSERS: Final = "abuse_gate.reading.documents.pdf"
_KINDS: Final = get_args(UploadKind)


def question(kind: str, data: bytes) -> bytes:
    """What stands in front of a file's bytes."""
    name = kind.encode("ascii")
    return QUESTION.pack(len(name), len(data)) + name


def limit_resources(memory_bytes: int, resource: Any = _RESOURCE) -> None:
    """Bound this process's memory, and let it write no file and no core, where the system can."""
    if resource is None:
        return
    for name, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, most = resource.getrlimit(name)
        if most == resource.RLIM_INFINITY or value < most:
            resource.setrlimit(name, (value, value))


def end_with_parent(
    parent: int,
    ask: Callable[[], int] = os.getppid,
    leave: Callable[[int], object] = os._exit,
    seconds: float = 1.0,
) -> None:
    """Leave when the process that started us is gone: nobody would stop an endless parse then."""
    while ask() == parent:
        time.sleep(seconds)
    leave(1)


def preload(parsers: str = _PARSERS) -> None:
    """Import the slow parsers before the first deadline runs."""
    with suppress(ImportError):
        import_module(parsers)


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Say that we are ready, then answer question after question until the other side closes."""
    sink.write(READY)
    sink.flush()
    while True:
        head = source.read(QUESTION.size)
        if len(head) < QUESTION.size:
            return
        name_size, data_size = QUESTION.unpack(head)
        kind = source.read(name_size).decode("ascii", "replace")
        data = source.read(data_size)
        answer = _answer(kind, data)
        sink.write(ANSWER.pack(len(answer)))
        sink.write(answer)
        sink.flush()


def _answer(kind: str, data: bytes) -> bytes:
    known = cast("UploadKind", kind if kind in _KINDS else "file")
    report = open_document(known, data)
    # JSON with escapes: a lone surrogate out of a document must not end the worker.
    return json.dumps(report.as_json()).encode("ascii")


if __name__ == "__main__":
    limit_resources(int(sys.argv[1]))
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    preload()
    serve(sys.stdin.buffer, sys.stdout.buffer)
