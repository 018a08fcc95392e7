"""Names of companies and institutions that the end of a line breaks, in each layout and at each word."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

NAMES = (
    "Pell Scaffolding Engineering Company Limited",
    "Ashdown Superannuation Services Pty Ltd",
    "Harwick Petroleum Haulage Company Limited",
    "Orrin Mezzanine Adventures, LLC",
    "Ryle Valley Hospitals NHS Foundation Trust",
    "Pellshire State Industrial Estates Board",
    "Commissioner of Internal Revenue",
    "Minister for Grain, Harbours and Maritime Affairs",
    "Ryle Lake Homeowners Association",
)
LAYOUTS = {
    "Privy Council": """
                                  JUDGMENT

                Tarn and another (Appellants) v {first}
               {rest} (Respondent)
                            (Saint Pell)

                                     before

                                  Lord Quill
""",
    "Australia": """
                     FEDERAL COURT OF AUSTRALIA

              Tarn v {first}
              {rest} [2022] FCA 99884

File number(s):            VID 407 of 2020
""",
    "label": """
                         Supreme Court
                         New South Wales

Case Name:               Tarn v {first}
                         {rest}

Decision Date:           29 September 2016
""",
    "Tennessee": """
               IN THE COURT OF APPEALS OF TENNESSEE
                           AT KNOXVILLE

       TARN v. {FIRST}
                       {REST}

                Appeal from the Circuit Court for Sevier County
""",
    "India": """
                   IN THE SUPREME COURT OF INDIA
                    CIVIL APPELLATE JURISDICTION

                   CIVIL APPEAL NO. 9998 OF 2021

TARN                                                    ... APPELLANT(S)

                               VERSUS

{FIRST:<40}                ... RESPONDENT(S)
{REST}

                           J U D G M E N T
""",
}
SHORTEST = 12
"""Number of characters of a name that at least stand before the break."""


def list_breaks() -> Iterator[tuple[str, str]]:
    """Each name in two lines, for each place where its column may end."""
    for name in NAMES:
        words = name.split()
        for at in range(1, len(words)):
            first, rest = " ".join(words[:at]), " ".join(words[at:])
            if len(first) >= SHORTEST and first[-1] != ",":
                yield first, rest


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("first", "rest"), [*list_breaks()])
def test_a_name_goes_on_in_the_next_line(read_as: Reader, layout: str, first: str, rest: str) -> None:
    if layout == "India" and rest.startswith("and "):
        pytest.skip("below a role beside a name, AND begins another party")
    page = LAYOUTS[layout].format(first=first, rest=rest, FIRST=first.upper(), REST=rest.upper())
    title = read_as("paper.txt", page + "\n1.  The carrier answers for the goods.\n").metadata.title
    assert title.casefold().replace(" v. ", " v ") == f"tarn v {first} {rest}".casefold()


@pytest.mark.parametrize("below", ["Commercial List", "Before Quill J", "14 May 2021", "[2022] FCA 99884"])
@pytest.mark.parametrize("name", ["Pell Scaffolding Engineering Limited", "Harwick Petroleum Board"])
def test_what_follows_a_whole_name_is_no_part_of_it(read_as: Reader, name: str, below: str) -> None:
    page = f"\n          FEDERAL COURT OF AUSTRALIA\n\n          Tarn v {name}\n          {below}\n"
    title = read_as("paper.txt", page + "\n1.  The carrier answers for the goods.\n").metadata.title
    assert title == f"Tarn v {name}"
