"""The cache: what it keeps, for how long, and how much of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from lexls.text.memory import Memory


class Counter:
    """Counts how often each value is made."""

    def __init__(self) -> None:
        self.made: list[object] = []

    def make(self, value: object) -> object:
        self.made.append(value)
        return value


def test_a_value_is_made_once() -> None:
    memory, counter = Memory[str, object](), Counter()
    assert [memory.recall("a", lambda: counter.make(None)) for _ in range(3)] == [None] * 3
    assert counter.made == [None]
    assert memory.get("b") is None


def test_the_value_not_used_for_longest_goes_first() -> None:
    memory = Memory[int, int](most=3)
    for number in (1, 2, 3):
        memory.keep(number, number)
    assert memory.get(1) == 1
    memory.keep(4, 4)
    assert [memory.get(number) for number in (1, 2, 3, 4)] == [1, None, 3, 4]
    assert len(memory) == 3


def test_what_is_kept_is_bounded_by_weight_but_for_the_last_value() -> None:
    memory = Memory[str, str](most=10, weigh=len)
    memory.keep("a", "x" * 6)
    memory.keep("a", "x" * 5)
    memory.keep("b", "x" * 5)
    assert (memory.get("a"), memory.get("b")) == ("x" * 5, "x" * 5)
    memory.keep("c", "x" * 50)
    assert [memory.get(key) for key in "abc"] == [None, None, "x" * 50]


def test_a_sweep_forgets_what_was_not_used_since_the_last() -> None:
    memory = Memory[str, int]()
    memory.keep("a", 1)
    memory.keep("b", 2)
    memory.sweep()
    assert memory.get("a") == 1
    memory.keep("c", 3)
    memory.sweep()
    assert [memory.get(key) for key in "abc"] == [1, None, 3]
    assert len(memory) == 2
    memory.sweep()
    memory.sweep()
    assert len(memory) == 0


def test_another_state_forgets_everything() -> None:
    memory = Memory[str, int]()
    memory.renew(1)
    memory.keep("a", 1)
    memory.renew(1)
    assert memory.get("a") == 1
    memory.renew(2)
    assert memory.get("a") is None
    assert len(memory) == 0


def test_what_is_forgotten_is_made_again() -> None:
    memory = Memory[str, int]()
    memory.keep("a", 1)
    memory.keep("b", 2)
    memory.forget(["a", "never kept"])
    assert (memory.get("a"), memory.get("b")) == (None, 2)
    memory.forget()
    assert len(memory) == 0


def test_objects_without_equality_are_known_by_identity() -> None:
    one, other = object(), object()
    memory = Memory[object, int]()
    memory.keep(one, 1)
    assert (memory.get(one), memory.get(other)) == (1, None)


def test_threads_that_share_it_get_what_they_ask_for() -> None:
    memory = Memory[int, int](most=20)

    def work(start: int) -> bool:
        return all(memory.recall(n % 50, lambda n=n: n % 50) == n % 50 for n in range(start, start + 4_000))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(work, range(4)))
    assert len(memory) <= 20
