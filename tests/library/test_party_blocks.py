"""The first party of each side, however narrow the column is that breaks its name and description."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

BODY = "The motion is granted for the reasons that follow, and the clerk shall enter judgment.\n"
SIDES = [
    # The name, what is said of the party or of others, whether the role is plural, and how it is cited.
    ("JOAN C. PELL,", " as Personal Representative of the ESTATE OF WILLIAM F. PELL,", "", "Joan C. Pell"),
    ("ADA TARN", " and BEN MAE TARN, individually and on behalf of all others,", "s", "Ada Tarn"),
    ("QUILL FUND PARTNERS IV, L.P.,", " a Delaware limited partnership,", "", "Quill Fund Partners IV, L.P."),
    ("SECURITIES AND EXCHANGE COMMISSION,", "", "", "Securities and Exchange Commission"),
    ("1180 BOYNE AVENUE FUND CORPORATION", " and ASH CO., INC.,", "s", "1180 Boyne Avenue Fund Corporation"),
    ("CITY OF NEW HARBOR;", " PAUL J. VANE, individually; and KEVIN ASH,", "s", "City of New Harbor"),
    ("TOWN OF PELL FALLS,", " CHIEF PETER J. ASH, and OFFICER SEAN VANE,", "s", "Town of Pell Falls"),
    ("COLIN B. RYLE,", " SHEILA VANE, and HAN TARN,", "s", "Colin B. Ryle"),
    ("RYLE CLAIMS, INC.,", " derivatively on behalf of QUILL BIOSCIENCES, INC.,", "", "Ryle Claims, Inc."),
    ("ROSA VANE,", " INDIVIDUALLY AND AS NEXT FRIEND OF H.V. JR. AND M.V., MINORS,", "", "Rosa Vane"),
]
WIDTHS = [22, 28, 36]


def break_lines(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)


def draw_caption(first: str, second: str, many: str, width: int, mark: str) -> str:
    left = [
        *break_lines(first, width),
        "          Plaintiff" + many + ",",
        "",
        "     v.",
        "",
        *break_lines(second, width),
        "          Defendants.",
    ]
    right = ["", "Case No. 2:21-cv-01061", "", "ORDER GRANTING MOTION", "TO DISMISS"]
    rows = itertools.zip_longest(left, right if mark else [], fillvalue="")
    caption = "\n".join(f"{one:<{width + 6}}{mark}      {other}".rstrip() for one, other in rows)
    number = "" if mark else "\nCase No. 2:21-cv-01061\n\nORDER\n"
    return f"UNITED STATES DISTRICT COURT\nDISTRICT OF UTAH\n\n{caption}\n{number}\n{BODY}"


@pytest.mark.parametrize("mark", [")", ":", "§", ""])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("side", range(len(SIDES)))
def test_a_broken_name_is_that_of_the_first_party(read_as: Reader, side: int, width: int, mark: str) -> None:
    (first, more, many, name), (second, others, _, other) = SIDES[side], SIDES[side - 1]
    page = draw_caption(first + more, second + others, many, width, mark)
    assert read_as("order.txt", page).metadata.title == f"{name} v. {other}", page
