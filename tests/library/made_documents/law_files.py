"""Law as courts, parliaments and publishers issue it: XML vocabularies, records in JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from made_documents.invented import (
    JUDGMENT,
    NOTE,
    NUMBERS,
    SECTIONS,
    STATUTE,
    STATUTE_MARKS,
    STATUTE_TITLE,
    TITLE,
    Part,
    Parts,
    leave_notes_out,
    nest,
    write_lines,
)
from made_documents.made_document import MadeDocument
from made_documents.web_files import escape, fill, put_notes_last, write_body, write_notes

HEAD = 13
"""How many parts of the judgment are its head."""
LONG_TITLE = STATUTE[2].text
_UNITS = [part for part in STATUTE if part.kind == "unit"]


# -- judgments ---------------------------------------------------------------------------------------------


def make_akn_judgment(parts: Parts = JUDGMENT) -> str:
    """A judgment as courts of the United Kingdom publish it in Akoma Ntoso."""
    note = '<authorialNote class="footnote" marker="1"><p>{}</p></authorialNote>'
    body: list[str] = []
    rows: list[str] = []
    open_unit = False
    for part in parts[HEAD:]:
        text = escape(part.text).replace(NOTE, note.format(escape(part.note)))
        text = text.replace(" the ", " <i>the</i> ", 1)
        if part.kind == "row":
            cells = "".join(f"<td><p>{cell}</p></td>" for cell in text.split("\t"))
            rows.append(f"<tr>{cells}</tr>")
            continue
        if rows:
            body.append(f"<table>{''.join(rows)}</table>")
            rows = []
        if part.kind == "quotation":
            body.append(f'<p class="Quote">{text}</p>')
            continue
        if open_unit:
            body.append("</content></paragraph>")
        open_unit = part.kind == "unit"
        if open_unit:
            body.append(
                f'<paragraph eId="para_{part.number}"><num>{part.number}.</num><content><p>{text}</p>'
            )
        else:
            body.append(f"<level><heading>{text}</heading></level>")
    head = "".join(f"<p>{escape(part.text)}</p>" for part in JUDGMENT[:HEAD])
    head = head.replace("[2019] EWHC 9412 (Ch)", "<neutralCitation>[2019] EWHC 9412 (Ch)</neutralCitation>")
    head = head.replace("HC-2017-009412", "<docketNumber>HC-2017-009412</docketNumber>")
    return fill("judgment.akn", title=TITLE, head=head, body="".join(body))


# -- statutes ----------------------------------------------------------------------------------------------


def make_akn_act() -> str:
    names = ("section", "subsection", "paragraph")

    def opens(part: Part, holds: bool) -> str:
        number = f"<num>{STATUTE_MARKS[part.level - 1].format(part.number)}</num>"
        heading = f"<heading>{escape(part.heading)}</heading>" if part.heading else ""
        words = f"<p>{escape(part.text)}</p>" if part.text else ""
        inside = words and (f"<intro>{words}</intro>" if holds else f"<content>{words}</content>")
        return f"<{names[part.level - 1]}>{number}{heading}{inside}"

    body = nest(_UNITS, opens, lambda level, _: f"</{names[level - 1]}>")
    return fill("act.akn", title=STATUTE_TITLE, long_title=LONG_TITLE, body=body)


def make_clml_act() -> str:
    """The statute in the mark-up of legislation.gov.uk, where headings stand around the sections."""

    def opens(part: Part, holds: bool) -> str:
        level = part.level
        lead = f"<P1group><Title>{escape(part.heading)}</Title>" if level == 1 else ""
        words = f"<Text>{escape(part.text)}</Text>" if part.text else ""
        return f'{lead}<P{level} id="x"><Pnumber>{part.number}</Pnumber><P{level}para>{words}'

    body = nest(
        _UNITS,
        opens,
        lambda level, _: f"</P{level}para></P{level}>" + ("</P1group>" if level == 1 else ""),
    )
    return fill("act.clml.xml", title=STATUTE_TITLE, long_title=LONG_TITLE, body=body)


def make_public_law() -> str:
    """The statute as a public law of the United States in USLM."""
    names = ("section", "subsection", "paragraph")
    marks = ("SEC. {}. ", "({}) ", "({}) ")

    def opens(part: Part, holds: bool) -> str:
        mark = marks[part.level - 1].format(part.number)
        number = f'<num value="{part.number}">{mark}</num>'
        heading = f"<heading>{escape(part.heading.upper())}.</heading>" if part.heading else ""
        tag = "chapeau" if holds else "content"
        words = f"<{tag}>{escape(part.text)}</{tag}>" if part.text else ""
        return f"<{names[part.level - 1]}>{number}{heading}{words}"

    body = nest(_UNITS, opens, lambda level, _: f"</{names[level - 1]}>")
    return fill("law.uslm.xml", body=body)


def make_formex_act() -> str:
    """The statute as a regulation of the European Union in Formex."""

    def opens(part: Part, holds: bool) -> str:
        text = escape(part.text)
        if part.level == 1:
            heading = f"<STI.ART><P>{escape(part.heading)}</P></STI.ART>"
            return f'<ARTICLE IDENTIFIER="00{part.number}"><TI.ART>Article {part.number}</TI.ART>{heading}'
        if part.level == 2:
            words = f"<P>{text}</P><LIST>" if holds else text
            return f"<PARAG><NO.PARAG>{part.number}.</NO.PARAG><ALINEA>{words}"
        return f"<ITEM><NP><NO.P>({part.number})</NO.P><TXT>{text}</TXT></NP></ITEM>"

    def closes(level: int, held: bool) -> str:
        return ("</ARTICLE>", f"{'</LIST>' if held else ''}</ALINEA></PARAG>", "")[level - 1]

    return fill("act.formex.xml", body=nest(_UNITS, opens, closes))


def make_canadian_act(kind: str) -> str:
    """The statute as the Department of Justice of Canada publishes it: a "Statute" or a "Regulation"."""
    names = ("Section", "Subsection", "Paragraph")

    def opens(part: Part, holds: bool) -> str:
        heading = f"<MarginalNote>{escape(part.heading)}</MarginalNote>" if part.heading else ""
        mark = STATUTE_MARKS[part.level - 1].format(part.number)
        words = f"<Text>{escape(part.text)}</Text>" if part.text else ""
        return f'<{names[part.level - 1]} lims:id="1">{heading}<Label>{mark}</Label>{words}'

    body = nest(_UNITS, opens, lambda level, _: f"</{names[level - 1]}>")
    names_of = {
        "Statute": f"<LongTitle>{LONG_TITLE}</LongTitle><ShortTitle>{STATUTE_TITLE}</ShortTitle><Chapter>"
        "<ConsolidatedNumber>W-94</ConsolidatedNumber></Chapter>",
        "Regulation": "<InstrumentNumber>SOR/2011-94</InstrumentNumber>"
        f"<LongTitle>{STATUTE_TITLE}</LongTitle>",
    }
    return (
        f'<?xml version="1.0" encoding="utf-8"?><{kind} xmlns:lims="http://justice.gc.ca/lims">'
        f"<Identification>{names_of[kind]}</Identification><Body>{body}</Body></{kind}>"
    )


# -- records -----------------------------------------------------------------------------------------------


_CAPTION = ["ARDWELL MILLS LIMITED", "v.", "Josiah PENNOCK.", "No. 94."]
_CAPTION += ["Supreme Judicial Court of Massachusetts.", "March 4, 1919."]


def make_cap_page() -> tuple[str, list[str]]:
    """A case as a page of the Caselaw Access Project, and its lines; a page begins within a word."""
    parts = JUDGMENT[HEAD:]
    star = '<a id="p613" href="#p613" data-label="613" class="page-label">*613</a>'
    mark = '<a class="footnotemark" href="#footnote_1_{0}">{0}</a>'
    note = '<aside data-label="{0}" class="footnote"><p>{1}</p></aside>'
    body = write_notes(parts, mark, note).replace("&#173;", star, 1)
    return fill("cap.html", body=body), [*_CAPTION, *put_notes_last(write_lines(parts))]


def make_cap_json() -> str:
    """A case as the Caselaw Access Project has it."""
    lines = write_lines(leave_notes_out(JUDGMENT))
    record = {
        "id": 9412,
        "name": TITLE,
        "name_abbreviation": "Ardwell Mills v. Pennock",
        "decision_date": "1919-03-04",
        "docket_number": "No. 94",
        "citations": [{"type": "official", "cite": "94 Mass. 612"}],
        "court": {"name": "Massachusetts Supreme Judicial Court"},
        "casebody": {
            "judges": [],
            "parties": [],
            "head_matter": "\n".join(lines[:HEAD]),
            "opinions": [{"type": "majority", "text": "\n".join(lines[HEAD:])}],
        },
    }
    return json.dumps(record)


def make_courtlistener_json(field: str, parts: Parts = JUDGMENT) -> str:
    """An opinion as CourtListener's interface gives it, its text in one field."""
    judgment = leave_notes_out(parts)
    texts = {
        "html_with_citations": write_body(judgment),
        "plain_text": "\n\n".join(f"    {line}" for line in write_lines(judgment)),
    }
    record = {
        "resource_uri": "https://x.example/api/rest/v4/opinions/9412/",
        "absolute_url": "/opinion/9412/ardwell-mills-limited-v-josiah-pennock/",
        "cluster": {"case_name": TITLE, "date_filed": "1919-03-04"},
        "plain_text": "",
        "html": "",
        "html_with_citations": "",
        field: texts[field],
    }
    return json.dumps(record, ensure_ascii=field == "plain_text", indent=2)


def make_table(parts: Parts = JUDGMENT) -> str:
    """A judgment as the only row of a table."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["title", "citation", "date", "text"])
    text = "\n".join(write_lines(leave_notes_out(parts)))
    writer.writerow([TITLE, "[2019] EWHC 9412 (Ch)", "2019-03-04", text])
    return stream.getvalue()


def list_documents() -> Iterator[MadeDocument]:
    judgment, plain = write_lines(JUDGMENT), write_lines(leave_notes_out(JUDGMENT))
    statute = write_lines(STATUTE, STATUTE_MARKS)

    def xml(name: str, format: str, source: str, lines: Sequence[str], title: str) -> MadeDocument:
        labels = NUMBERS if title == TITLE else SECTIONS
        return MadeDocument(name, format, source.encode, lines, labels, title, exactly=False)

    body = statute[3:]
    yield xml("judgment.akn", "akn", make_akn_judgment(), judgment, TITLE)
    yield xml("judgment.xml", "akn", make_akn_judgment(), judgment, TITLE)
    yield xml("act.akn", "akn", make_akn_act(), statute, STATUTE_TITLE)
    yield xml("act.clml.xml", "clml", make_clml_act(), statute, STATUTE_TITLE)
    american = [replace(part, heading=f"{part.heading.upper()}." if part.heading else "") for part in _UNITS]
    lines = write_lines(american, ("SEC. {}.", "({})", "({})"))
    head = ["Public Law 199–9", "An Act", "To keep weirs.", "Be it enacted,"]
    yield xml("public_law.xml", "uslm", make_public_law(), [*head, *lines], "To keep weirs")
    european = write_lines(_UNITS, ("Article {}", "{}.", "({})"))
    head = ["Commission Regulation (EU) 2031/94", "of 4 February 2031", "on weirs"]
    yield xml("regulation.xml", "formex", make_formex_act(), [*head, *european], " ".join(head))
    canadian = {
        "Statute": [LONG_TITLE, STATUTE_TITLE],
        "Regulation": ["SOR/2011-94", STATUTE_TITLE],
    }
    for kind, head in canadian.items():
        yield xml(f"{kind}.xml", "lims", make_canadian_act(kind), [*head, *body], STATUTE_TITLE)
    source, lines = make_cap_page()
    name = "Ardwell Mills Limited v. Pennock"
    yield MadeDocument("cap.html", "cap", source.encode, lines, title=name, pages=("612", "613"))
    yield MadeDocument("cap.json", "cap", make_cap_json().encode, plain, None, "Ardwell Mills v. Pennock")
    for field in ("html_with_citations", "plain_text"):
        yield MadeDocument(
            f"{field}.json", "courtlistener", make_courtlistener_json(field).encode, plain, None, TITLE
        )
    yield MadeDocument("row.csv", "record", make_table().encode, plain, NUMBERS, TITLE)
