from lexls.features.navigation import find_links, find_target


def test_citations_in_the_library_are_links_and_others_are_not(read, token) -> None:
    marked = read(
        "*Carrow v Luff* [2014] ASC 12 at [4]; Nobody v Someone [2013] ACA 77; "
        "Carriage of Goods Act 1994, s 13.|"
    )
    found = find_links(marked.snapshot, token)
    assert [link.span.of(marked.draft.source) for link in found] == [
        "[2014] ASC 12",
        "Carriage of Goods Act 1994",
    ]
    assert found[0].tooltip == "Carrow v Luff [2014] ASC 12"


def test_a_link_opens_the_pinpoint(read, token) -> None:
    marked = read("*Carrow v Luff* [2014] ASC 12 at [4].|")
    link = find_links(marked.snapshot, token)[0]
    location = find_target(marked.snapshot, link.span, link.authority)
    assert location is not None
    assert location.text[location.start :].startswith("[4] Necessity")
