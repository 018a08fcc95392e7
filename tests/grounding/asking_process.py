"""A program that answers a request with each generator that its argument describes (JSON), and tells how.

``[{"control": "here"}]`` opens a socket in this process instead, ``[{"control": "models"}]`` in its model
process.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator, Mapping

from prompt_samples import BRIDGE, FERRY, request

from lexls.grounding.answer import GenerationFailed, GeneratorChoice
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.generators.choice import open_generator
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.tokens import Tokenizer
from lexls.models.messages import Handler, Job, ModelAnswer, ModelUnavailable
from lexls.models.process import ModelProcess
from lexls.text.cancel import CancelToken


def open_handlers() -> Mapping[str, Handler]:
    """This program is a module of handlers, too: the work of the model process in the control."""

    def connect(job: Job) -> Iterator[ModelAnswer]:
        with socket.socket():
            yield ModelAnswer({})

    return {"connect": connect}


def answered(described: dict[str, object], models: ModelProcess) -> dict[str, object]:
    tokens = Tokenizer().tokenize
    asked = request(BRIDGE, FERRY, question="Must the keeper of a toll bridge keep its planks sound?")
    try:
        generator = open_generator(GeneratorChoice(**described), lambda: models, tokens)  # type: ignore[arg-type]
        extractor = open_generator(GeneratorChoice(), lambda: models, tokens)
        verifier = EvidenceVerifier(tokens, 0.6)
        *_, answer = write_answer(Gathered(asked), generator, verifier, CancelToken(), extractor=extractor)
    except GenerationFailed as error:
        return {"failed": str(error)}
    return {
        "failed": answer.failed,
        "sentences": len(answer.sentences),
        "shown": bool(answer.shown),
        "tokens": answer.usage.tokens if answer.usage else 0,
    }


def controlled(where: str) -> dict[str, object]:
    if where == "here":
        socket.socket().close()
        return {"failed": ""}
    models = ModelProcess(handlers=("asking_process",))
    try:
        list(models.answers("connect", {}))
    except ModelUnavailable as error:
        return {"failed": str(error)}
    finally:
        models.close()
    return {"failed": ""}


def main() -> None:
    models = ModelProcess()
    try:
        for described in json.loads(sys.argv[1]):
            done = controlled(described["control"]) if "control" in described else answered(described, models)
            print(json.dumps(done))
    finally:
        models.close()


if __name__ == "__main__":
    main()
