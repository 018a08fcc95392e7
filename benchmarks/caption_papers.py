"""Make court papers from layouts: invented parties, real courts, dockets and dates in their usual places."""

from __future__ import annotations

import html
import random
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import docx
import fpdf
import matplotlib
from courts_db.utils import load_courts_db
from docx.enum.text import WD_ALIGN_PARAGRAPH

from lexls.text.lexicon import NUMBERS, ORDINALS

FOLDER = Path(__file__).parent / "captions"
WIDTH = 80
_LEFT_COLUMN = 40
_FONT = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSansMono.ttf"
_POINTS = 8.5
_PLACES = {
    "N": "Northern", "S": "Southern", "E": "Eastern", "W": "Western", "C": "Central", "M": "Middle",
}  # fmt: skip
_BODY = (
    "The motion is denied for the reasons given below. In Harlan v. Pratt, 401 U.S. 133, 137 (1971), the "
    "court held that a carrier answers for goods in its hold, and nothing in the record suggests otherwise.",
    "The parties agree on the facts. The goods were delivered on June 3, 1998, and the claim was made within "
    "the time that the contract allows. See Pell v. Ryle, 819 F.3d 880, 888 (6th Cir. 2016).",
    "This matter has a long history, which an earlier order of May 11, 1997 sets out. What remains is "
    "whether the notice was good. We hold that it was.",
)
_DAYS = {number: word for word, number in ORDINALS.items()}
_SMALL_NUMBERS = {number: word for word, number in NUMBERS.items()}


@dataclass(frozen=True, slots=True)
class Party:
    caption: str
    cited: str
    plural: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows of two columns with the mark between them."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    mark: str
    numbers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's lines, and what a reader should find in it; ``None`` where nothing is asked."""

    layout: str
    rows: tuple[str | Columns, ...]
    title: str
    sides: tuple[Party, ...]
    court: tuple[str, ...]
    court_words: str | None
    date: str | None
    docket: str | None
    kind: str
    style: int


@cache
def load_parts() -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / "parts.toml").read_text(encoding="utf-8"))


def load_layouts(name: str) -> list[dict[str, Any]]:
    return list(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["layout"])


@cache
def list_courts(group: str) -> tuple[tuple[str, ...], ...]:
    """The courts of a class, each as the lines in which papers print it."""
    foreign = load_parts()["courts"]
    if group in foreign:
        return tuple(tuple(lines) for lines in foreign[group])
    return tuple(dict.fromkeys(lines for court in load_courts_db() if (lines := _print_court(court, group))))


def _print_court(court: Mapping[str, Any], group: str) -> tuple[str, ...]:
    if any(each.get("end") for each in court["dates"]):
        return ()
    name = " ".join(court["name"].split())
    kind = (court["system"], court["type"])
    if group == "us-circuit" and re.fullmatch(r"ca(\d+|dc|fc)", court["id"]):
        place = (
            name.partition("Appeals for the ")[2].replace("D.C.", "District of Columbia") or "Federal Circuit"
        )
        return ("United States Court of Appeals", f"for the {place}")
    if group in ("us-district", "us-bankruptcy") and kind[0] == "federal":
        wanted = "Bankruptcy Court" if group == "us-bankruptcy" else "District Court"
        match = re.fullmatch(
            rf"(?:United States )?{wanted}"
            r"(?:, (?:([NSEWCM])\. ?)?D\. (.+)| for the (?:(\w+) )?District of (.+))",
            name,
        )
        if not match:
            return ()
        side = _PLACES.get(match[1] or "", match[3] or "")
        return (f"United States {wanted}", f"{side} District of {match[2] or match[4]}".strip())
    if kind[0] != "state" or re.search(
        r"Courts|Departments|Reports|Board|office|Panel|\d|Commission|,", name
    ):
        return ()
    levels = {"us-state-supreme": "Supreme", "us-state-appeal": "Appeal", "us-state-trial": ""}
    if kind == ("state", "trial"):
        return (name,) if group == "us-state-trial" and "Court" in name else ()
    if kind != ("state", "appellate") or group not in levels or group == "us-state-trial":
        return ()
    return (name,) if levels[group] in name and "Court" in name else ()


def make_papers(layouts: Sequence[Mapping[str, Any]], each: int, seed: int) -> Iterator[Paper]:
    """``each`` papers of every layout."""
    for layout in layouts:
        for number in range(each):
            yield _make_paper(layout, random.Random(f"{seed} {layout['name']} {number}"))


def _make_paper(layout: Mapping[str, Any], draw: random.Random) -> Paper:
    country = layout.get("country", "us")
    sides = tuple(_draw_party(draw, country, layout.get(side)) for side in "ab")
    court: tuple[str, ...] = tuple(layout.get("court", ()))
    if "courts" in layout:
        court = draw.choice(list_courts(layout["courts"]))
        if court[0].startswith("United States") and len(court) == 2 and draw.random() < 0.5:
            court = (court[0], court[1] if court[1].startswith("for") else f"for the {court[1]}")
    day = date(draw.randint(2003, 2023), draw.randint(1, 12), draw.randint(1, 28))
    earlier = date(day.year - 1, draw.randint(1, 12), draw.randint(1, 28))
    docket = _draw_digits(layout.get("docket", ""), earlier.year, draw)
    facts = _Facts(draw, sides, court, day, earlier, docket)
    text = layout["text"].strip("\n").replace("{body}", draw.choice(_BODY))
    rows: list[str | Columns] = []
    for line in text.split("\n"):
        line = facts.fill(_draw_digits(line, day.year, draw))
        rows += [_set_columns(layout, facts)] if line.strip() == "{columns}" else line.split("\n")
    asked = re.search(r"\{date:(\w+)\}", text + layout.get("right", ""))
    title = layout.get("title", "{a} v. {b}")
    return Paper(
        layout["name"],
        tuple(rows),
        title,
        sides[: len(re.findall(r"\{[ab]\}", title))],
        court,
        layout.get("court_words", " ".join(court)) if court else None,
        None if not asked or layout.get("kind") == "other" else day.isoformat(),
        docket or None,
        layout.get("kind", "case"),
        draw.randint(0, 5),
    )


def _draw_party(draw: random.Random, country: str, kinds: Sequence[str] | None) -> Party:
    parts = load_parts()
    fitting = [each for each in parts["party"] if each.get("country", "us") == country]
    fitting = [each for each in fitting if each["kind"] in kinds] if kinds else fitting
    if not fitting:
        fitting = [each for each in parts["party"] if each["kind"] in (kinds or ())]
    weights = [1 if kinds else each.get("weight", 1) for each in fitting]
    chosen = draw.choices(fitting, weights)[0]
    names = {key: draw.choice(values) for key, values in parts["names"].items()}
    last = draw.sample(parts["names"]["last"], 3)
    names |= {
        "last": last[0],
        "last2": last[1],
        "last3": last[2],
        "first2": draw.choice(parts["names"]["first"]),
    }
    return Party(
        chosen["caption"].format_map(names), chosen["cited"].format_map(names), chosen.get("plural", False)
    )


def _draw_digits(pattern: str, year: int, draw: random.Random) -> str:
    """Digits for "#" (the first of a row is no zero) and the year for %y and %Y."""
    filled = re.sub(
        r"#+", lambda run: str(draw.randint(10 ** (len(run[0]) - 1), 10 ** len(run[0]) - 1)), pattern
    )
    return filled.replace("%y", f"{year % 100:02}").replace("%Y", str(year))


@dataclass(slots=True)
class _Facts:
    """What stands for the words in braces."""

    draw: random.Random
    sides: tuple[Party, ...]
    court: tuple[str, ...]
    day: date
    earlier: date
    docket: str
    values: dict[str, str] | None = None

    def fill(self, line: str) -> str:
        if self.values is None:
            self.values = self._draw_values()
        line = re.sub(r"\{(date|other):(\w+)\}", self._date, line)
        if match := re.fullmatch(r"(.*)\{(COURT_LINES|court_lines)\}(.*)", line):
            lines = [each.upper() if match[2].isupper() else each for each in self.court]
            opening = re.match(r"\^|\s*", match[1])
            indent = opening[0] if opening else ""
            return "\n".join(
                [match[1] + lines[0] + match[3] * (len(lines) == 1), *(indent + each for each in lines[1:])]
            )
        values = self.values
        return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), line)

    def _draw_values(self) -> dict[str, str]:
        names = load_parts()["names"]
        last = self.draw.sample([each for each in names["last"] if each.isalpha()], 6)
        place, state = self.draw.choice(names["place"]), self.draw.choice(names["state"])
        values = {
            "court": " ".join(self.court), "docket": self.docket, "City": place, "State": state,
            "Judge": last[0], "Judge2": last[1], "Last": last[2], "Last2": last[3], "LAST3": last[4].upper(),
            "year": str(self.day.year), "lastyear": str(self.day.year - 1), "Counsel_last": last[5],
            "counsel": last[5].lower(), "Counsel": f"{self.draw.choice(names['first'])} {last[5]}",
            "TRADE": self.draw.choice(names["trade"]).upper(),
        }  # fmt: skip
        for key in ("City", "Judge", "Judge2", "Last", "Last2"):
            values[key.upper()] = values[key].upper()
        for key, side, number in (("a", self.sides[0], 1), ("b", self.sides[1], 2)):
            values |= {key: side.caption, key.upper(): _capitals(side.caption)}
            values |= {f"s{number}": "s" * side.plural, f"S{number}": "S" * side.plural}
        return values

    def _date(self, found: re.Match[str]) -> str:
        return write_date(self.day if found[1] == "date" else self.earlier, found[2])


def _capitals(caption: str) -> str:
    kept = {"et al.", "d/b/a", "a/k/a", "ex rel.", "plc"}
    return re.sub(
        "|".join(map(re.escape, kept)), lambda found: found[0].lower(), caption.upper(), flags=re.IGNORECASE
    )


def write_date(day: date, form: str) -> str:
    """A date as courts print it; see the layouts for the names of the forms."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day // 10 != 1 else 0, "th")
    spelt = _DAYS.get(day.day) or f"{_SMALL_NUMBERS[day.day // 10 * 10]}-{_DAYS[day.day % 10]}"
    return {
        "month": f"{day:%B} {day.day}, {day.year}",
        "MONTH": f"{day:%B} {day.day}, {day.year}".upper(),
        "dmy": f"{day.day} {day:%B} {day.year}",
        "DMY": f"{day.day} {day:%B} {day.year}".upper(),
        "uk": f"{day.day}{ending} {day:%B} {day.year}",
        "ordinal": f"{day.day}{ending} day of {day:%B}, {day.year}",
        "words": f"{spelt} day of {day:%B}, two thousand {_spell_year(day.year)}",
        "us": f"{day.month}/{day.day}/{day.year}",
        "us2": f"{day:%m/%d/%y}",
        "eu": f"{day:%d/%m/%Y}",
        "dots": f"{day:%d.%m.%Y}",
        "compact": f"{day:%Y%m%d}",
    }[form]


def _spell_year(year: int) -> str:
    rest = year - 2000
    return _SMALL_NUMBERS.get(rest) or f"{_SMALL_NUMBERS[rest // 10 * 10]}-{_SMALL_NUMBERS[rest % 10]}"


def _set_columns(layout: Mapping[str, Any], facts: _Facts) -> Columns:
    left: list[str] = []
    for line in layout["left"].strip("\n").split("\n"):
        indent = line[: len(line) - len(line.lstrip())][:16]
        for each in facts.fill(line).split("\n"):
            left += textwrap.wrap(
                each.strip(), _LEFT_COLUMN, initial_indent=indent, subsequent_indent=indent
            ) or [""]
    right = [
        each.strip() for line in layout["right"].strip().split("\n") for each in facts.fill(line).split("\n")
    ]
    right = [""] * ((len(left) - len(right)) // 2) + right
    height = max(len(left), len(right))
    first = layout.get("numbered", 0)
    numbers = tuple(f"{first + place:2} " if first else "" for place in range(height))
    mark = layout["mark"]
    pad = [""] * height
    return Columns(tuple((left + pad)[:height]), tuple((right + pad)[:height]), mark, numbers)


def set_text(paper: Paper) -> str:
    """The paper as plain text."""
    lines: list[str] = []
    for row in paper.rows:
        if isinstance(row, Columns):
            lines += _set_rows(row)
        elif row.startswith("^"):
            lines.append(row[1:].strip().center(WIDTH).rstrip())
        else:
            lines += textwrap.wrap(row, WIDTH + 8, replace_whitespace=False, drop_whitespace=False) or [""]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _marks(columns: Columns) -> list[str]:
    height = len(columns.left)
    if columns.mark == "|private":
        return [
            "\uf8fc",
            *["\uf8fd" if place == height // 2 else "\uf8f4" for place in range(1, height - 1)],
            "\uf8fe",
        ]
    return [columns.mark] * height


def _set_rows(columns: Columns) -> list[str]:
    rows = zip(columns.numbers, columns.left, _marks(columns), columns.right, strict=True)
    return [
        f"{number}{left.ljust(_LEFT_COLUMN)} {mark:2} {right}".rstrip() for number, left, mark, right in rows
    ]


def set_markdown(paper: Paper) -> str:
    """The same as Markdown: hard breaks, the court in bold, columns as lines of code."""
    lines: list[str] = []
    for row in paper.rows:
        if isinstance(row, Columns):
            lines += ["", "```", *_set_rows(row), "```", ""]
            continue
        words = row.lstrip("^").strip()
        strong = row.startswith("^") and paper.style % 2 and words.upper() == words and words.strip("_- ")
        lines.append(f"**{words}**  " if strong else f"{words}  " if words else "")
    return "\n".join(lines) + "\n"


def set_html(paper: Paper) -> str:
    """A saved page: preformatted, or paragraphs with a table for the columns."""
    if paper.style % 3 == 0:
        body = f"<pre>{html.escape(set_text(paper))}</pre>"
    else:
        body = "\n".join(_set_html_row(row) for row in paper.rows)
    head = '<html lang="en"><head><meta charset="utf-8"><title></title></head>'
    return f"<!DOCTYPE html>{head}<body>{body}</body></html>"


def _set_html_row(row: str | Columns) -> str:
    if isinstance(row, Columns):
        cells = [row.left, _marks(row), row.right] if row.mark else [row.left, row.right]
        joined = ("<br>".join(html.escape(line) for line in cell) for cell in cells)
        return f"<table><tr>{''.join(f'<td>{cell}</td>' for cell in joined)}</tr></table>"
    words = html.escape(re.sub(r"\s+", " ", row.lstrip("^")).strip())
    return (
        f'<p style="text-align:center">{words}</p>'
        if row.startswith("^")
        else f"<p>{words}</p>"
        if words
        else ""
    )


def save_docx(paper: Paper, path: Path) -> None:
    """A Word document: a paragraph for each line, a table for columns."""
    document = docx.Document()
    for row in paper.rows:
        if isinstance(row, Columns):
            cells = [row.left, _marks(row), row.right] if row.mark else [row.left, row.right]
            table = document.add_table(1, len(cells))
            for cell, lines in zip(table.rows[0].cells, cells, strict=True):
                cell.text = "\n".join(lines)
        else:
            paragraph = document.add_paragraph(re.sub(r" {3,}", "\t", row.lstrip("^").strip()))
            if row.startswith("^"):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    document.save(str(path))


def save_pdf(paper: Paper, path: Path) -> None:
    """A PDF of the plain text in a font of fixed width, words apart by spaces as far as the page has them."""
    pdf = fpdf.FPDF(unit="pt", format="letter")
    pdf.add_font("mono", "", str(_FONT))
    pdf.set_auto_page_break(False)
    pdf.add_page()
    pdf.set_font("mono", size=_POINTS)
    wide, y = pdf.get_string_width("n"), 54.0
    shown = str.maketrans({"\uf8fc": "⎫", "\uf8fd": "⎬", "\uf8fe": "⎭", "\uf8f4": "⎪"})
    for line in set_text(paper).translate(shown).split("\n"):
        if y > 730:
            pdf.add_page()
            y = 54.0
        for run in re.finditer(r"\S+(?: \S+)*", line):
            pdf.text(72 + wide * run.start(), y, run[0])
        y += _POINTS * 1.35
    pdf.output(str(path))
