"""Reading a style from its file, and saying what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from lexls.citations.styles import template
from lexls.citations.styles.reference import TableForm
from lexls.citations.styles.style import IbidRule, Style, StyleError


def read_style(table: Mapping[str, Any], name: str) -> Style:
    """The style that a TOML table describes; raises StyleError naming the field at fault."""

    def text(key: str, *choices: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or (choices and value not in choices):
            raise StyleError(
                f"{name}: `{key}` must be {' or '.join(map(repr, choices)) if choices else 'text'}"
            )
        return value

    def templates(key: str) -> Mapping[str, str]:
        entries = table.get(key, {})
        for entry, value in entries.items():
            try:
                template.parse(value)
            except (template.TemplateError, TypeError) as error:
                raise StyleError(f"{name}: `{key}.{entry}`: {error}") from None
        return dict(entries)

    def pairs(key: str) -> Mapping[str, tuple[str, str]]:
        found = {}
        for entry, value in table.get(key, {}).items():
            both = [value, value] if isinstance(value, str) else value
            if not isinstance(both, list) or len(both) != 2 or any("{}" not in each for each in both):
                raise StyleError(f"{name}: `{key}.{entry}` must be one or two texts with {{}} in them")
            found[entry] = (both[0], both[1])
        return found

    def table_form() -> TableForm:
        form = table.get("table", {})
        order = form.get("order", [])
        if not set(order) <= {"cases", "statutes", "other"} or not all(form.get(each) for each in order):
            raise StyleError(f"{name}: `table.order` must name groups that have a title")
        if not order:
            return TableForm()
        return TableForm(
            form["title"], tuple((each, form[each]) for each in order), bool(form.get("italic", True))
        )

    return Style(
        name=name,
        title=text("title"),
        edition=text("edition"),
        versus=text("versus"),
        stops=bool(table["stops"]),
        ordinal=text("ordinal"),
        dash=text("dash"),
        pages=text("pages", "all", "two", "one"),
        last=text("last"),
        parallel=text("parallel"),
        most=int(table.get("most", 0)),
        neutral_first=bool(table.get("neutral_first", True)),
        end=text("end"),
        ibid=cast(IbidRule, text("ibid", "never", "note", "citation")),
        short_needs_note=bool(table.get("short_needs_note", True)),
        short_within=int(table.get("short_within", 0)),
        comma_after_bracket=bool(table.get("comma_after_bracket", True)),
        evident=frozenset(table.get("evident", [])),
        needs_court=tuple(table.get("needs_court", [])),
        states=dict(table.get("states", {})),
        full=templates("full"),
        short=templates("short"),
        same=templates("same"),
        pinpoints=pairs("pinpoint"),
        back_pinpoints=pairs("back_pinpoint"),
        table=table_form(),
        accepts={kind: tuple(each) for kind, each in table.get("accepts", {}).items()},
    )
