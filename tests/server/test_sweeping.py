import gc
import weakref
from collections.abc import Iterator

import pytest

from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import fold
from lexls.server import sweeper as sweeper_module
from lexls.server.sweeper import Sweeper


class Knot:
    """Refers to itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.self = self


@pytest.fixture(autouse=True)
def _thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def old_knot() -> weakref.ref[Knot]:
    knot = Knot()
    gc.collect()  # it is an old object now
    return weakref.ref(knot)


def test_garbage_goes_when_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper_module, "IDLE_SECONDS", 0.0)
    sweeper = Sweeper()
    sweeper.begin()
    knot = old_knot()
    sweeper.asked()
    assert knot() is not None
    sweeper.sweep_if_due()
    assert knot() is None


def test_nothing_is_swept_while_somebody_asks_nor_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    sweeper = Sweeper()
    knot = old_knot()
    sweeper.asked()
    sweeper.sweep_if_due()
    assert knot() is not None
    monkeypatch.setattr(sweeper_module, "IDLE_SECONDS", 0.0)
    sweeper.sweep_if_due()
    assert knot() is None
    second = old_knot()
    sweeper.sweep_if_due()
    assert second() is not None


def test_garbage_goes_once_a_minute_while_somebody_always_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper_module, "BUSY_SECONDS", 0.0)
    sweeper = Sweeper()
    knot = old_knot()
    sweeper.asked()
    sweeper.sweep_if_due()
    assert knot() is None


def test_what_outlived_a_sweep_goes_with_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweeper_module, "IDLE_SECONDS", 0.0)
    sweeper, knot = Sweeper(), Knot()
    seen = weakref.ref(knot)
    sweeper.sweep_if_due()
    del knot
    sweeper.asked()
    sweeper.sweep_if_due()
    assert seen() is None


def test_names_that_were_compared_are_forgotten_but_nothing_that_was_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sweeper_module, "IDLE_SECONDS", 0.0)
    fold("Pell v Ryle")
    jurisdictions = load_jurisdictions()
    sweeper = Sweeper()
    sweeper.asked()
    sweeper.sweep_if_due()
    assert fold.cache_info().currsize == 0
    assert load_jurisdictions() is jurisdictions
