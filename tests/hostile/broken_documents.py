"""Documents made to break readers: loops, nesting without end, sizes that are lies."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping

from hostile_files import make_docx

_HEAD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_WORDS = "Oats and hay were sold at Ennis. "


def _pack(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _make_word(body: str, **more: bytes) -> bytes:
    document = f"{_HEAD}{body}</w:body></w:document>".encode()
    return _pack({"[Content_Types].xml": b"<Types/>", "word/document.xml": document, **more})


def _make_pdf(*objects: bytes) -> bytes:
    body = b"".join(b"%d 0 obj%s\nendobj\n" % each for each in enumerate(objects, 1))
    return b"%PDF-1.5\n" + body + b"trailer<</Root 1 0 R/Size %d>>\n%%%%EOF\n" % (len(objects) + 1)


def _make_stream(head: str, content: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (head.encode(), len(content), content)


_CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
_PAGES = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"


def _make_page(more: str = "", content: str = "4 0 R") -> bytes:
    return f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {content}{more}>>".encode()


def _overlap(count: int) -> bytes:
    """A zip whose entries all lie on the same packed bytes."""
    content = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = content.compress(bytes(1_000_000)) + content.flush()
    check = zlib.crc32(bytes(1_000_000))
    local, listed = b"", []
    for number in range(count):
        name = b"word/document.xml" if not number else b"word/header%d.xml" % number
        fields = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0, check, len(packed), 1_000_000, len(name), 0)
        local = local or b"PK\x03\x04" + fields + name + packed
        listed += [b"PK\x01\x02\x14\x00", fields, struct.pack("<HHHLL", 0, 0, 0, 0, 0), name]
    entries = b"".join(listed)
    end = struct.pack("<HHHHLLH", 0, 0, count % 65_536, count % 65_536, len(entries), len(local), 0)
    return local + entries + b"PK\x05\x06" + end


def _nest_zips(count: int) -> bytes:
    data = make_docx(_WORDS)
    for _ in range(min(count, 300)):
        data = _pack({"word/document.xml": data})
    return data


def _multiply_entities(count: int) -> bytes:
    depth = max(2, count.bit_length())
    declared = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, depth))
    document = (
        f'<!DOCTYPE d [<!ENTITY e0 "oats">{declared}]>{_HEAD}<w:p><w:r><w:t>&e{depth - 1};</w:t></w:r></w:p>'
    )
    return _pack({"word/document.xml": f"{document}</w:body></w:document>".encode()})


def _loop_pages(count: int) -> bytes:
    kids = " ".join(["2 0 R", "3 0 R"] * count)
    return _make_pdf(_CATALOG, f"<</Type/Pages/Count {count}/Kids[{kids}]>>".encode(), _make_page(), b"null")


def _chain_pages(count: int) -> bytes:
    """A tree of pages as deep as it has nodes, whose last leads back to its first."""
    nodes = (f"<</Type/Pages/Count {count}/Kids[{n + 1} 0 R]>>".encode() for n in range(2, count + 2))
    return _make_pdf(_CATALOG, *nodes, b"<</Type/Pages/Count 1/Kids[2 0 R]>>")


def _count_pages(count: int) -> bytes:
    return _make_pdf(
        _CATALOG, f"<</Type/Pages/Count {count * 1000}/Kids[3 0 R]>>".encode(), _make_page(), b"null"
    )


def _list_pages(count: int) -> bytes:
    kids = " ".join(["3 0 R"] * count)
    content = _make_stream("", b"BT /F 10 Tf 50 700 Td (oats) Tj ET")
    return _make_pdf(_CATALOG, f"<</Type/Pages/Count {count}/Kids[{kids}]>>".encode(), _make_page(), content)


def _loop_objects(count: int) -> bytes:
    """Streams of objects each of which lies in the other."""
    inner = b"1 0 2 20 " + b" " * count + b"<</Type/Catalog>> <<>>"
    streams = (_make_stream(f"/Type/ObjStm/N 2/First 9/Extends {n} 0 R", inner) for n in (2, 1))
    table = _make_stream("/Type/XRef/Size 4/W[1 2 1]/Root 1 0 R/Prev 9", b"\x02\x00\x02\x00" * 4)
    return (
        b"%PDF-1.5\n"
        + b"".join(b"%d 0 obj%s\nendobj\n" % e for e in enumerate([*streams, table], 1))
        + (b"startxref\n9\n%%EOF\n")
    )


def _draw_itself(count: int) -> bytes:
    """A page that draws a form that draws itself, so many times each."""
    form = _make_stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>", b"/X Do " * count
    )
    page = _make_page("/Resources<</XObject<</X 5 0 R>>>>")
    return _make_pdf(_CATALOG, _PAGES, page, _make_stream("", b"/X Do " * count), form)


def _draw_others(count: int) -> bytes:
    """A page that draws a form that draws another so many times, and that one the next, ten in all."""
    last = 14
    forms = (
        _make_stream(
            f"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X {number + 1} 0 R>>>>",
            b"/X Do " * count if number < last else b"0 0 9 9 re f ",
        )
        for number in range(5, last + 1)
    )
    page = _make_page("/Resources<</XObject<</X 5 0 R>>>>")
    return _make_pdf(_CATALOG, _PAGES, page, _make_stream("", b"/X Do "), *forms)


def _picture(kind: str, head: bytes) -> Callable[[int], bytes]:
    """A PDF with a picture whose size is a lie."""

    def make(count: int) -> bytes:
        side = min(count, 65_535)
        size = (
            f"/Type/XObject/Subtype/Image/Width {side}/Height {side}/BitsPerComponent 8/ColorSpace/DeviceGray"
        )
        picture = _make_stream(f"{size}/Filter/{kind}", head + struct.pack(">II", side, side) * 4)
        page = _make_page("/Resources<</XObject<</X 5 0 R>>>>")
        return _make_pdf(_CATALOG, _PAGES, page, _make_stream("", b"595 0 0 842 0 0 cm /X Do"), picture)

    return make


def _nest_arrays(count: int) -> bytes:
    return _make_pdf(_CATALOG, _PAGES, _make_page(f"/A {'[' * count}{']' * count}"), b"null")


def _layer_filters(count: int) -> bytes:
    filters = "/FlateDecode" * min(count, 1_000)
    return _make_pdf(_CATALOG, _PAGES, _make_page(), _make_stream(f"/Filter[{filters}]", zlib.compress(b"x")))


def _nest_mail(count: int) -> bytes:
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary=B{number}\n\n--B{number}\n" for number in range(count)
    )
    return f"From: a@b.test\nSubject: x\n{heads}Content-Type: text/plain\n\n{_WORDS}\n".encode()


def _nest(opening: str, closing: str, within: str = _WORDS) -> Callable[[int], bytes]:
    return lambda count: (opening * count + within + closing * count).encode()


def _mark(count: int) -> bytes:
    return f"{_WORDS}e{chr(0x301) * count} {_WORDS}".encode()


def _grow_table(count: int) -> bytes:
    side = max(1, int(count**0.5))
    row = f"<w:tr>{'<w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>' * side}</w:tr>"
    return _make_word(f"<w:tbl>{row * side}</w:tbl>")


KINDS: Mapping[str, Callable[[int], bytes]] = {
    "overlapping.docx": _overlap,
    "zips-in-zips.docx": _nest_zips,
    "many-entries.docx": lambda n: _pack({f"word/{each}.xml": b"" for each in range(min(n, 60_000))}),
    "entities.docx": _multiply_entities,
    "nested.docx": lambda n: _make_word(
        "<w:p><w:sdt><w:sdtContent>" * n + "</w:sdtContent></w:sdt></w:p>" * n
    ),
    "fields.docx": lambda n: _make_word('<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>' * n),
    "table.docx": _grow_table,
    "tables-in-tables.docx": lambda n: _make_word(
        "<w:tbl><w:tr><w:tc><w:p/>" * n + "</w:tc></w:tr></w:tbl>" * n
    ),
    "attribute.docx": lambda n: _make_word(f'<w:p w:rsidR="{"0" * (10 * n)}"/>'),
    "page-tree-loop.pdf": _loop_pages,
    "page-tree-chain.pdf": _chain_pages,
    "count.pdf": _count_pages,
    "pages.pdf": _list_pages,
    "object-streams.pdf": _loop_objects,
    "draws-itself.pdf": _draw_itself,
    "draws-others.pdf": _draw_others,
    "jbig2.pdf": _picture("JBIG2Decode", b"\x00\x00\x00\x00\x30\x00\x01\x00\x00\x00\x13"),
    "jpx.pdf": _picture("JPXDecode", b"\xff\x4f\xff\x51\x00\x29\x00\x00"),
    "arrays.pdf": _nest_arrays,
    "filters.pdf": _layer_filters,
    "mail-in-mail.eml": _nest_mail,
    "addresses.eml": lambda n: f"From: {'a@b.test, ' * n}\nSubject: x\n\n{_WORDS}".encode(),
    "nested.json": _nest('{"text":', "}", json.dumps(_WORDS)),
    "lists.json": _nest("[", "]", "1"),
    "nested.html": _nest("<div>", "</div>"),
    "bold.html": _nest("<b><p>", ""),
    "tables.html": _nest("<table><tr><td>", ""),
    "nested.xml": _nest("<a>", "</a>"),
    "groups.rtf": lambda n: b"{\\rtf1 " + b"{\\b " * n + _WORDS.encode() + b"}" * n + b"}",
    "marks.txt": _mark,
    "marks.md": _mark,
    "quotes.md": _nest("> ", ""),
    "lists.md": lambda n: "".join(f"{'  ' * (each % 300)}- x\n" for each in range(min(n, 20_000))).encode(),
    "rows.csv": lambda n: ("a" + ",b" * n + "\n").encode() * 3,
}
"""The documents by their names, each made of so many pieces as is asked for."""
SIZES = (10, 300, 1_000, 10_000, 30_000, 100_000)


def list_broken() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The documents: each kind at each size, and some of them cut off."""
    chance = random.Random(5)
    for name, make in KINDS.items():
        for size in SIZES:
            yield f"{size}-{name}", lambda make=make, size=size: make(size)  # type: ignore[misc]
        yield f"cut-{name}", lambda make=make: make(1_000)[: chance.randrange(20, 2_000)]  # type: ignore[misc]
