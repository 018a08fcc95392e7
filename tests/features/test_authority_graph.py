"""What an authority cites and what cites it, for a picture."""

from __future__ import annotations

from lexls.features.authority_graph import draw_graph
from lexls.index.library import Library
from lexls.index.records import Authority


def find(library: Library, title: str) -> Authority:
    return next(each for each in library.catalogue.all() if each.title == title)


def test_the_authority_stands_between_what_it_cites_and_what_cites_it(library, token) -> None:
    carrow = find(library, "Carrow v Luff")
    drawn = draw_graph(library, carrow.id, 10, token)
    assert drawn is not None
    (cited,), (citing,) = drawn.cited.nodes, drawn.citing.nodes
    assert (cited.authority.title, cited.passage) == ("Pell v Stark", None)
    assert citing.authority.title == "The Owners of the Grey Gull v Harbour Board"
    said = citing.passage.of(library.contents.text(citing.authority.id))
    assert "[2014] ASC 12" in said
    assert (drawn.cited.count, drawn.citing.count, drawn.absent) == (1, 1, 0)


def test_what_treats_it_worst_is_left_out_last(reported, token) -> None:
    drawn = draw_graph(reported, find(reported, "Stark v Dunmore").id, 1, token)
    assert drawn is not None
    (worst,) = drawn.citing.nodes
    assert (worst.authority.title, worst.treatment, worst.bad) == ("Harrow v Ketch", "overruled", True)


def test_there_is_none_of_what_has_left_the_library(library, token) -> None:
    assert draw_graph(library, 987_654, 10, token) is None
