"""One file's bytes to one report: which reader opens which kind, and what is inside what.

Total: whatever a parser raises becomes a flag. Never called on an event loop.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, Final

from abuse_gate.model.extract import UploadKind
from abuse_gate.reading.charset import narrow, plain_text
from abuse_gate.reading.documents.archive import Archive, open_archive
from abuse_gate.reading.documents.docx import read_docx
from abuse_gate.reading.documents.html import read_html
from abuse_gate.reading.documents.images import read_image
from abuse_gate.reading.documents.kinds import EXTENSIONS, MARKUP, kinds_of
from abuse_gate.reading.documents.mail import read_mail
from abuse_gate.reading.documents.odt import read_odt
from abuse_gate.reading.documents.pptx import read_pptx
from abuse_gate.reading.documents.report import Limits, Report, Room, nested
from abuse_gate.reading.documents.rtf import read_rtf
from abuse_gate.reading.documents.svg import read_svg
from abuse_gate.reading.documents.xlsx import read_xlsx
from abuse_gate.reading.documents.xmltext import read_xml, spoken
from abuse_gate.reading.embedded import files_within

MARKED_UP: Final[dict[UploadKind, Callable[[Report, bytes], None]]] = {
    "html": read_html,
    "rtf": read_rtf,
    "svg": read_svg,
    "xml": read_xml,
    "image": read_image,
}
OFFICE: Final[dict[UploadKind, Callable[[Report, Archive], None]]] = {
    "docx": read_docx,
    "xlsx": read_xlsx,
    "pptx": read_pptx,
    "odt": read_odt,
}
# Parts of an office document that are markup, and those that hold shapes of letters or a drawing.
_XML_PARTS: Final = (".xml", ".rels", ".vml")
_WORDLESS: Final = (".emf", ".wmf", ".wdp", ".odttf", ".fntdata", ".ttf", ".otf")
_PRINTER: Final = "printerSettings"
PDF_READER: Final = "abuse_gate.reading.documents.pdf"
_MACROS: Final = "vbaProject.bin"


def open_document(kind: UploadKind, data: bytes, limits: Limits | None = None) -> Report:
    """Everything that one file holds."""
    report = Report(kind, Room(limits or Limits()))
    attempt(report, lambda: _dispatch(report, data))
    return report


def attempt(report: Report, work: Callable[[], None]) -> None:
    """Do the work; whatever it raises becomes a flag."""
    try:
        work()
    except MemoryError:
        report.flags.add("document_unread")
    except RecursionError:
        report.flags.add("too_deep")
    except Exception:  # noqa: BLE001 - a parser's surprise is a flag of this file alone
        report.flags.add("malformed")


def _dispatch(report: Report, data: bytes) -> None:
    kind = report.kind
    if kind in MARKED_UP:
        MARKED_UP[kind](report, data)
    elif kind == "mail":
        read_mail(report, data, partial(_inside, report))
    elif kind == "pdf":
        read_with(PDF_READER, report, data)
    elif kind in OFFICE or kind == "zip":
        archive = open_archive(report, data)
        if archive is not None:
            _archive(report, archive)
    else:
        report.flags.add("opaque_media_noninterpretable")
        report.count("bytes", len(data))


def read_with(reader: str, report: Report, data: bytes) -> None:
    """Take down a PDF by a module that needs an extra; without it a PDF is a picture to us."""
    try:
        read: Any = import_module(reader).read_pdf
    except ImportError:
        report.flags.add("opaque_media_noninterpretable")
        return
    read(report, data, partial(_attached, report))


def _attached(report: Report, data: bytes) -> None:
    _inside(report, data, "")


def _archive(report: Report, archive: Archive) -> None:
    if report.kind == "zip":
        folders = archive.folders()
        for name in archive.names():
            report.show(name)
            if name not in folders:
                _inside(report, archive.read(name), name)
        return
    OFFICE[report.kind](report, archive)
    for name in archive.unread():
        _other_part(report, archive, name)


def _other_part(report: Report, archive: Archive, name: str) -> None:
    """A part that the reader of its kind has no use for: an app may have, so nothing is left."""
    plain = name.partition("\0")[0].lower()
    if plain.endswith(_MACROS.lower()):
        report.fire(f"{report.kind}:macro")
        report.flags.add("opaque_media_noninterpretable")
    elif plain.endswith(_XML_PARTS):
        report.hide(f"{report.kind}:part", spoken(report, archive.read(name)))
    elif plain.endswith(_WORDLESS) or _PRINTER.lower() in plain:
        report.count("images")
    else:
        _illustration(report, archive.read(name), name)


def _illustration(report: Report, data: bytes, name: str) -> None:
    """A file within an office document: a picture there is an ornament, and no opaque upload."""
    ornament = kinds_of(data) in (["image"], ["svg"])
    before = frozenset(report.flags)
    _inside(report, data, name)
    if ornament:
        report.count("images")
        report.flags -= {"opaque_media_noninterpretable"} - before


def _inside(report: Report, data: bytes, name: str) -> None:
    """Read a file within a file, as far down as the limit goes."""
    if not data:
        return
    if report.depth >= report.limits.max_nesting:
        report.flags.add("too_deep")
        return
    kinds: list[UploadKind] = kinds_of(data)
    text = plain_text(data) if not kinds or kinds[0] in MARKUP else None
    declared = EXTENSIONS.get(name.rpartition(".")[2].lower())
    if not kinds and declared in {"html", "mail"} and text is not None:
        kinds.append(declared)
    if text is not None:
        for reading in (text, narrow(data, text) or ""):
            (report.keep if kinds else report.show)(reading)
            _within(report, reading)
    if not kinds and text is None:
        kinds.append("file")
    for kind in kinds:
        inner = nested(report, kind)
        attempt(inner, partial(_dispatch, inner, data))


def _within(report: Report, text: str) -> None:
    """Read the files that a text carries as data URLs."""
    for _, data in files_within(text):
        _inside(nested(report, report.kind), data, "")
