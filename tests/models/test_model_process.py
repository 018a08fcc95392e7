"""The model process itself, driven for real with handlers of the tests: no model is needed."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lexls.models import process as process_module
from lexls.models.messages import ModelCrashed, ModelUnavailable
from lexls.models.process import ModelProcess, Patience
from lexls.text.cancel import Cancelled, CancelToken

HANDLERS = ("handlers_for_tests", "second_handlers_for_tests")
Make = Callable[..., ModelProcess]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    made: list[ModelProcess] = []

    def start(**options: Any) -> ModelProcess:
        made.append(ModelProcess(**{"handlers": HANDLERS} | options))
        return made[-1]

    yield start
    for each in made:
        each.close()


def eventually(condition: Callable[[], bool]) -> None:
    """Waits for what must come; half a minute is no measure of speed but the end of hope."""
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_request_has_as_many_answers_as_its_handler_gives(make: Make) -> None:
    answers = list(make().answers("lengths", {"of": "texts"}, ["weir", "", "ébauche"]))
    assert [answer.fields for answer in answers] == [{"length": n, "of": "texts"} for n in (4, 0, 7)]
    assert [answer.payload for answer in answers] == [b"w", b"", "é".encode()]


def test_it_starts_when_it_is_first_needed_and_stays(make: Make) -> None:
    process = make()
    assert process.life == 0
    pids = {next(iter(process.answers("about_itself", {}))).fields["pid"] for _ in range(3)}
    assert pids == {process.life}
    assert process.life != os.getpid()


def test_requests_of_many_threads_get_their_own_answers(make: Make) -> None:
    process = make()
    found: dict[int, list[int]] = {}

    def ask(number: int) -> None:
        texts = ["x" * (number * 100 + n) for n in range(50)]
        found[number] = [answer.fields["length"] for answer in process.answers("lengths", {}, texts)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == {number: [number * 100 + n for n in range(50)] for number in range(8)}


def test_what_libraries_print_is_never_taken_for_an_answer(make: Make) -> None:
    process = make()
    assert [answer.fields for answer in process.answers("chatting", {})] == [{"said": True}]
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]


def test_a_kill_in_the_middle_costs_the_one_request(make: Make, tmp_path: Path) -> None:
    process = make()
    answers = process.answers("slowly", {"trace": str(tmp_path / "trace")})
    next(answers)
    os.kill(process.life, signal.SIGKILL)
    with pytest.raises(ModelCrashed, match=r"was ended by SIGKILL.*the next request starts it again"):
        list(answers)
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]


def test_a_crash_is_told_with_its_status(make: Make) -> None:
    process = make()
    answers = process.answers("dying", {})
    first = next(answers).fields["pid"]
    with pytest.raises(ModelCrashed, match="ended with status 7 before it answered"):
        next(answers)
    assert next(iter(process.answers("about_itself", {}))).fields["pid"] != first


def test_a_process_that_keeps_crashing_is_left_alone_for_a_while(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = make()
    for _ in range(process_module.CRASHES):
        with pytest.raises(ModelCrashed):
            list(process.answers("dying", {}))
    with pytest.raises(ModelUnavailable, match="ended 3 times without an answer") as caught:
        list(process.answers("lengths", {}, ["weir"]))
    assert not isinstance(caught.value, ModelCrashed)
    assert process.life == 0
    monkeypatch.setattr(process_module, "REST_SECONDS", 0.0)
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]


def test_handlers_that_cannot_be_had_are_a_crash_not_a_hang(make: Make) -> None:
    with pytest.raises(ModelCrashed, match="ended with status 1"):
        list(make(handlers=["no_such_module_of_handlers"]).answers("lengths", {}))


def test_garbage_on_the_pipe_ends_the_process_and_the_request(make: Make) -> None:
    process = make()
    answers = process.answers("garbling", {})
    pid = next(answers).fields["pid"]
    with pytest.raises(ModelCrashed, match="sent what is no answer"):
        next(answers)
    eventually(lambda: not is_running(pid))
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]


def test_cancelling_stops_the_work_and_keeps_the_process(make: Make, tmp_path: Path) -> None:
    process, token, trace = make(), CancelToken(), tmp_path / "trace"
    answers = process.answers("slowly", {"trace": str(trace)}, token=token)
    assert [answer.fields["number"] for answer in itertools.islice(answers, 3)] == [0, 1, 2]
    token.cancel()
    with pytest.raises(Cancelled):
        list(answers)
    life = process.life
    eventually(trace.exists)
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]
    assert process.life == life
    assert trace.read_text() == "stopped, cancelled: True"


def test_a_reader_who_goes_away_cancels_too(make: Make, tmp_path: Path) -> None:
    process, trace = make(), tmp_path / "trace"
    answers = process.answers("slowly", {"trace": str(trace)})
    assert [answer.fields["number"] for answer in itertools.islice(answers, 2)] == [0, 1]
    answers.close()
    eventually(trace.exists)
    assert len(list(process.answers("lengths", {}, ["weir"]))) == 1


def test_cancelling_is_heard_at_once_though_the_model_is_deaf(make: Make) -> None:
    process, token = make(), CancelToken()
    list(process.answers("lengths", {}, ["weir"]))
    threading.Timer(0.1, token.cancel).start()
    with pytest.raises(Cancelled):
        list(process.answers("deafly", {}, token=token))


def test_a_cancelled_token_starts_nothing(make: Make) -> None:
    process, token = make(), CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(process.answers("lengths", {}, ["weir"], token))
    assert process.life == 0


def test_a_request_that_waits_can_be_cancelled(make: Make, tmp_path: Path) -> None:
    process, token = make(), CancelToken()
    running = process.answers("slowly", {"trace": str(tmp_path / "one")})
    next(running)
    threading.Timer(0.1, token.cancel).start()
    with pytest.raises(Cancelled):
        list(process.answers("slowly", {"trace": str(tmp_path / "two")}, token=token))
    running.close()
    assert len(list(process.answers("lengths", {}, ["weir"]))) == 1
    assert not (tmp_path / "two").exists()


def test_two_modules_work_beside_each_other(make: Make, tmp_path: Path) -> None:
    process = make()
    running = process.answers("slowly", {"trace": str(tmp_path / "trace")})
    next(running)
    assert [answer.fields for answer in process.answers("beside", {})] == [{"beside": True}]
    assert next(running).fields["number"] == 1
    running.close()


def test_no_answer_in_time_is_an_error_and_the_next_request_works(make: Make) -> None:
    process = make()
    list(process.answers("lengths", {}, ["weir"]))
    life = process.life
    with pytest.raises(ModelUnavailable, match=r"no answer within 0\.2 seconds and was stopped"):
        list(process.answers("deafly", {}, patience=Patience(0.2, 0.2)))
    assert [answer.fields["length"] for answer in process.answers("lengths", {}, ["weir"])] == [4]
    assert process.life != life


def test_a_request_that_waited_too_long_does_not_cost_the_one_before_it(make: Make, tmp_path: Path) -> None:
    process = make()
    list(process.answers("lengths", {}, ["weir"]))
    life = process.life
    running = process.answers("slowly", {"trace": str(tmp_path / "one")})
    next(running)
    with pytest.raises(ModelUnavailable, match="no answer within"):
        list(process.answers("lengths", {}, ["weir"], patience=Patience(0.2)))
    assert next(running).fields["number"] == 1
    assert process.life == life
    running.close()


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ("refusing", "the model wants more memory; name a smaller one"),
        ("failing", r"the model failed \(RuntimeError\)"),
        ("no such thing", "cannot do 'no such thing'"),
    ],
)
def test_a_failure_says_why_without_the_text_and_the_process_stays(
    make: Make, operation: str, reason: str
) -> None:
    process = make()
    with pytest.raises(ModelUnavailable, match=f"{reason}$") as caught:
        list(process.answers(operation, {}, ["a secret of the client's"]))
    assert "secret" not in str(caught.value)
    life = process.life
    assert len(list(process.answers("lengths", {}, ["weir"]))) == 1
    assert process.life == life != 0


def test_an_idle_process_is_ended_and_started_again(make: Make) -> None:
    process = make(idle_seconds=0.3)
    first = next(iter(process.answers("about_itself", {}))).fields["pid"]
    eventually(lambda: process.life == 0)
    eventually(lambda: not is_running(first))
    assert next(iter(process.answers("about_itself", {}))).fields["pid"] != first


def test_a_process_at_work_is_not_idle(make: Make, tmp_path: Path) -> None:
    process = make(idle_seconds=0.05)
    answers = process.answers("slowly", {"trace": str(tmp_path / "trace")})
    life = next(answers) and process.life
    numbers = [answer.fields["number"] for answer in itertools.islice(answers, 40)]
    assert numbers == list(range(1, 41))
    assert process.life == life != 0
    answers.close()


def test_it_is_offline_and_reads_no_code_from_where_lexls_was_started(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    monkeypatch.chdir(tmp_path)
    found = next(iter(make().answers("about_itself", {}))).fields
    assert not {"", str(tmp_path)} & set(found["path"])
    assert found["offline"] == "1"
    assert found["read"] == ""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    assert next(iter(make(network=True).answers("about_itself", {}))).fields["offline"] == ""


def test_closing_ends_the_process_and_what_waits_for_it(make: Make, tmp_path: Path) -> None:
    process = make()
    answers = process.answers("slowly", {"trace": str(tmp_path / "trace")})
    pid = next(answers) and process.life
    process.close()
    with pytest.raises(ModelUnavailable, match="was closed"):
        list(answers)
    assert not is_running(pid)
    with pytest.raises(ModelUnavailable, match="was closed"):
        list(process.answers("lengths", {}))


@pytest.mark.skipif(sys.platform == "win32", reason="looks into /proc")
def test_it_ends_when_its_parent_is_killed_though_it_is_busy(make: Make, tmp_path: Path) -> None:
    program = (
        "from lexls.models.process import ModelProcess\n"
        "process = ModelProcess(handlers=['handlers_for_tests'])\n"
        "list(process.answers('lengths', {}, ['weir']))\n"
        "print(process.life, flush=True)\n"
        "list(process.answers('deafly', {}))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    eventually(lambda: not is_running(pid))
