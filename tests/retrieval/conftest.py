"""A small library of invented law, indexed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

DOCUMENTS = {
    "cases/barrow.md": """\
---
title: Barrow v Quenby
citation: "[2011] ASC 7"
court: Supreme Court of Aldmoor
date: 2011-05-02
kind: case
---

# Barrow v Quenby

## The law

[1] A ferryman answers for the luggage of his passengers from the moment he takes it aboard.

[2] He is excused only by tempest, by the act of a public enemy, or by the fault of the passenger.

## Disposal

[3] The claim for the trunk succeeds, and the claim for the umbrella fails.
""",
    "cases/ironside.md": """\
---
title: Ironside v Mull
citation: "[2018] ACA 44"
court: Court of Appeal of Aldmoor
date: 2018
kind: case
---

[1] The lessee burned the hedges, which the lease did not allow.

[2] A landlord who accepts rent after a breach that he knows of waives his right to re-enter the land.
""",
    "cases/wexcombe.md": """\
---
title: Wexcombe v Tarn
citation: "[2020] ACA 3"
court: Court of Appeal of Aldmoor
date: 2020-01-17
kind: case
---

[1] On the custody of hand baggage on river crossings the duty is strict: Barrow v Quenby, 412 U.S. 55 (1973).

[2] Nothing more needs to be said about the rowing boat.
""",
    "cases/rookery.md": """\
---
title: Rookery v Vale
citation: "412 U.S. 55"
court: High Court of Aldmoor
date: 1973-06-01
kind: case
---

[1] The appeal turns on a narrow point that the courts below did not reach.
""",
    "statutes/hedges-act.txt": """\
Hedges Act 1951

1 Planting
(1) Every owner of a field shall plant a hedge along the highway.

2 Burning
(1) Nobody shall burn a hedge between March and August.
(2) Whoever burns a hedge in these months pays a fine of ten crowns.

3 Repair
(1) A gap wider than one yard is to be repaired within a month.
""",
}


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("authorities")
    for name, text in DOCUMENTS.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    assert not report.failed
    yield library
    library.close()


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()
