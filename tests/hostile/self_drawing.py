"""PDFs whose drawings draw themselves, in every way that names a drawing, and honest ones built alike."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence

_FORM = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]"
_PATTERN = "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9"
_GLYPHS = (
    "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97"
    "/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a {} 0 R>>{}>>"
)
WORDS = "Oats and hay were sold at Ennis"
_FIRST = 20  # the object of the first drawing
_FONTS = 40
_ROOT, _RESOURCES, _LISTED = 1, 10, 11
_TOP = 60


def write_pdf(objects: Mapping[int, bytes], packed: Sequence[int] = ()) -> bytes:
    """A PDF of these objects by their numbers; ``packed`` are those in a stream of objects."""
    out, places = b"%PDF-1.5\n", {}
    for number, text in objects.items():
        if number not in packed:
            places[number] = (1, len(out), 0)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    head, body = b"", b""
    for at, number in enumerate(packed):
        places[number] = (2, _TOP, at)
        head, body = head + b"%d %d " % (number, len(body)), body + objects[number] + b" "
    places[_TOP] = (1, len(out), 0)
    stream = make_stream(f"/Type/ObjStm/N {len(packed)}/First {len(head)}", head + body, packed=True)
    out += b"%d 0 obj\n%s\nendobj\n" % (_TOP, stream)
    rows = (places.get(number, (0, 0, 0)) for number in range(_TOP + 1))
    table = b"".join(bytes([kind]) + at.to_bytes(4, "big") + bytes([last]) for kind, at, last in rows)
    listed = make_stream(f"/Type/XRef/Size {_TOP + 1}/W[1 4 1]/Root {_ROOT} 0 R", table)
    return out + b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (_TOP + 1, listed, len(out))


def make_stream(head: str, content: bytes, packed: bool = False) -> bytes:
    """A stream, deflated if asked."""
    if packed:
        head, content = f"{head}/Filter/FlateDecode", zlib.compress(content)
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (head.encode(), len(content), content)


PLACES = ("direct", "indirect", "listed", "page", "tree", "shared", "compressed")
"""Where the resources of a drawing stand: in it, in another object, their lists in another; it has none and
the page or the tree of pages has; it has those of the page; in a stream of objects."""
KINDS: Mapping[str, tuple[str, str, bytes]] = {
    "form": ("XObject", "{} 0 R", b"/%s Do "),
    "pattern": ("Pattern", "{} 0 R", b"/Pattern cs /%s scn 0 0 9 9 re f "),
    "mask": ("ExtGState", "<</SMask<</S/Luminosity/G {} 0 R>>>>", b"/%s gs 0 0 9 9 re f "),
    "glyph": ("Font", "{} 0 R", b"BT /%s 9 Tf (aa) Tj ET "),
}
"""Under which key resources list a drawing, as what, and what draws it by its name."""


def make_drawings(
    kind: str,
    place: str,
    length: int,
    times: int,
    *,
    honest: bool = False,
    packed: bool = False,
    annotated: bool = False,
) -> bytes:
    """A PDF with a ring of drawings each of which draws the next so many ``times``.

    The last one of ``honest`` ones draws none. The first is drawn by the page, or is what an annotation looks
    like.
    """
    key, listed, draws = KINDS[kind]
    drawings = range(_FIRST, _FIRST + length)
    named = {number: _FONTS + number - _FIRST if kind == "glyph" else number for number in drawings}
    names = "".join(f"/X{number} {listed.format(named[number])}" for number in drawings)
    entries = f"<<{names}>>"
    listing = entries if place != "listed" else f"{_LISTED} 0 R"
    font = "/H<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    both = f"<</Font<<{names if kind == 'glyph' else ''}{font}>>"
    both += ">>" if kind == "glyph" else f"/{key} {entries}>>"
    own = f"<</{key} {listing}>>"
    resources = {"direct": own, "page": "", "tree": ""}.get(place, f"{_RESOURCES} 0 R")
    said = f"/Resources {resources}" if resources else ""
    last = b"0 0 9 9 re f " if kind != "form" else b"BT /H 9 Tf 9 300 Td (%s) Tj ET " % WORDS.encode()
    objects = {
        _RESOURCES: (both if place == "shared" or (honest and kind == "form") else own).encode(),
        _LISTED: entries.encode(),
        **_make_page(both, place, b"" if annotated else draws % f"X{_FIRST}".encode() * 2, annotated),
    }
    for at, number in enumerate(drawings):
        following = f"X{drawings[(at + 1) % length]}".encode()
        content = last if honest and at + 1 == length else draws % following * times
        if kind == "glyph":
            objects[named[number]] = _GLYPHS.format(number, said).encode()
            objects[number] = make_stream("", b"9 0 d0 " + content, packed)
        else:
            head = {"form": _FORM, "pattern": _PATTERN, "mask": f"{_FORM}/Group<</S/Transparency>>"}[kind]
            objects[number] = make_stream(head + said, content, packed)
    streams = (number for number, text in objects.items() if b"stream\n" not in text)
    return write_pdf(objects, tuple(streams) if place == "compressed" else ())


def _make_page(resources: str, place: str, content: bytes, annotated: bool) -> Mapping[int, bytes]:
    """The catalog, the tree of pages, a page and what it draws."""
    held = f"/Resources {_RESOURCES} 0 R" if place == "shared" else f"/Resources {resources}"
    notes = f"/Annots[<</Subtype/Stamp/Rect[0 0 9 9]/F 4/AP<</N {_FIRST} 0 R>>>>]" if annotated else ""
    words = b"BT /H 9 Tf 9 600 Td (%s in the spring.) Tj ET " % WORDS.encode()
    return {
        _ROOT: b"<</Type/Catalog/Pages 2 0 R>>",
        2: f"<</Type/Pages/Count 1/Kids[3 0 R]{held if place == 'tree' else ''}>>".encode(),
        3: f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R{notes}"
        f"{held if place != 'tree' else ''}>>".encode(),
        4: make_stream("", words + content),
    }


def _draw_form(content: bytes, head: str = _FORM, own: str = "<</XObject<</X 20 0 R>>>>") -> bytes:
    """A page with a form of this content that its own resources call X."""
    form = make_stream(f"{head}/Resources {own}", content)
    page = _make_page("<</XObject<</X 20 0 R>>/Font<</H 41 0 R>>>>", "direct", b"/X Do ", annotated=False)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    return write_pdf({**page, _FIRST: form, 41: font, 42: b"/Form"})


_DO = b"/X Do " * 3
DISGUISED: Mapping[str, Callable[[], bytes]] = {
    "a name in numbers": lambda: _draw_form(b"/#58 Do " * 3),
    "a kind in numbers": lambda: _draw_form(_DO, _FORM.replace("Form", "F#6frm")),
    "a kind elsewhere": lambda: _draw_form(_DO, _FORM.replace("/Form", " 42 0 R")),
    "no kind of object": lambda: _draw_form(_DO, "/Subtype/Form/BBox[0 0 9 9]"),
    "a comment": lambda: _draw_form(b"/X% X\nDo " * 3),
    "a name as a string": lambda: _draw_form(b"(X) Do " * 3),
    "lines": lambda: _draw_form(b"/X\r\nDo\r" * 3),
    "a long dictionary": lambda: _draw_form(_DO, f"{_FORM}/A({'x' * 5_000})"),
    "hexadecimal": lambda: _draw_form(_DO.hex().encode() + b">", f"{_FORM}/Filter/ASCIIHexDecode"),
    "two filters": lambda: _draw_form(zlib.compress(_DO).hex().encode() + b">", f"{_FORM}/Filter[/AHx /Fl]"),
    "a filter that is not read": lambda: _draw_form(_DO, f"{_FORM}/Filter/LZWDecode"),
    "the end of a stream within": lambda: _draw_form(b"% endstream\n" + _DO),
    "an object within": lambda: _draw_form(b"% 9 0 obj endobj\n" + _DO),
    "two names": lambda: _draw_form(b"/X Do /Y Do ", own="<</XObject<</X 20 0 R/Y 20 0 R>>>>"),
}
"""Forms that draw themselves, written otherwise than usual."""
HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "objects that overlap": lambda: b"%PDF-1.5\n" + b"1 0 obj <</A 1 >> " * 50_000 + b"\n%%EOF",
    "streams that overlap": lambda: b"%PDF-1.5\n" + b"1 0 obj<</Subtype/Form>>stream\n" * 50_000 + b"%%EOF",
    "resources of one number": lambda: (
        b"%PDF-1.5\n"
        + b"".join(
            b"1 0 obj<</Resources 1 0 R/XObject 1 0 R/A%d 0/Subtype/Form>>stream\n/X Do endstream\n" % number
            for number in range(5_000)
        )
        + b"%%EOF"
    ),
}
"""Files made to keep busy who looks at their objects."""
