"""``lexls models`` and ``lexls prompts``: manage ranking models, text-generation model files, and prompt
templates.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lexls.cli.context import load_settings
from lexls.cli.output import FINDINGS, FINE, USAGE, CommandFailed, emit, show_progress, using_files
from lexls.grounding.prompts.templates import (
    TEMPLATE_NAMES,
    PromptTemplateError,
    load_template,
    read_own_template,
)
from lexls.models.adding import NotAdded, Wanted, add_model
from lexls.models.gguf_files import (
    KNOWN_MODELS,
    ModelListDamaged,
    find_known_model,
    find_models_folder,
    find_shortages,
    forget,
    is_file,
    list_models,
)
from lexls.models.local_servers import LocalServer, find_local_servers
from lexls.models.messages import ModelUnavailable
from lexls.models.model_files import ModelNotFetched, fetch_model, find_model, is_cross_encoder
from lexls.settings.edit import change_settings
from lexls.settings.load import find_user_settings
from lexls.text.terminal import note


def run_models(options: argparse.Namespace) -> int:
    """Run the action named on the command line; its steps are reported on standard error."""
    actions = {"get": _get, "try": _try, "add": _add, "list": _list, "remove": _remove}
    try:
        return actions[options.action](options)
    except (ModelUnavailable, NotAdded, ModelListDamaged) as error:
        raise CommandFailed(str(error)) from error


def _get(options: argparse.Namespace) -> int:
    from lexls.index.embedding import get_model

    settings = load_settings()
    name = options.name or settings.embeddings_model
    if not name:
        raise CommandFailed("embeddings.model is empty in the settings; name the model to get", USAGE)
    if options.source is None and _names_cross_encoder(name, settings.rerank_model):
        _get_cross_encoder(options, name)
        return FINE
    folder = get_model(options.source, note, name)
    emit(
        options,
        {"model": name, "folder": str(folder) if folder else None},
        [f"{name} is ready" + (f": {folder}" if folder else "")],
    )
    return FINE


def _names_cross_encoder(name: str, configured: str) -> bool:
    if name == configured or name.startswith("cross-encoder/"):
        return True
    folder = find_model(name)
    return folder is not None and is_cross_encoder(folder)


def _get_cross_encoder(options: argparse.Namespace, name: str) -> None:
    from lexls.models.encoder_clients import CrossEncoderClient
    from lexls.models.handlers import EXACT

    note(f"Fetching the cross-encoder {name}")
    client = CrossEncoderClient(name)
    try:
        folder = fetch_model(name.removesuffix(EXACT))
        client.load()
    except ModelNotFetched as error:
        raise CommandFailed(f"the model {name} could not be fetched: {error}") from error
    finally:
        client.close()
    lines = [
        f"{name} is ready ({client.kind}): {folder}",
        f"Whether it helps on your library: lexls models try {name}",
    ]
    emit(options, {"model": name, "folder": str(folder)}, lines)


def _try(options: argparse.Namespace) -> int:
    from lexls.cli.model_trial import try_model

    return try_model(options)


_DOING = {"fetch": "fetching", "check": "comparing", "copy": "copying"}


def _add(options: argparse.Namespace) -> int:
    """Add a model from a file, an address or the list of known models, and explain how to use it."""
    wanted = Wanted(
        options.source, options.name or "", options.sha256 or "", options.copy, options.unverified
    )
    if options.use:
        _look_for_shortages(options)
    with show_progress(unit="B") as show:
        model, header = add_model(wanted, lambda doing, done, whole: show(done, whole, _DOING[doing]), note)
    has_template = bool(header.text("tokenizer.chat_template"))
    if not has_template:
        note(
            "the file does not say how a conversation is written for it; it may be no model for instructions"
        )
    used = _use(model.name) if options.use else ""
    data: dict[str, Any] = _entry(model) | {
        "architecture": header.architecture,
        "title": header.text("general.name") or None,
        "context_tokens": header.number("context_length"),
        "chat_template": has_template,
        "settings": used or None,
    }
    lines = [
        f"{model.name}: {model.path}",
        f"  {_described(data)}",
        f"  {_compared(model.verified, model.sha256)}",
        f"{used} now uses it." if used else f"To use it, write into {find_user_settings()}:",
        *([] if used else ['  explain.generator = "llama"', f'  llama.model = "{model.name}"']),
    ]
    emit(options, data, lines)
    return FINE


def _look_for_shortages(options: argparse.Namespace) -> None:
    """Raise ``CommandFailed`` before downloading a model that could not be used on this machine. If its file
    is already here, or with ``--anyway``, only print a warning.
    """
    known = None if is_file(options.source) else find_known_model(options.source)
    there = known is not None and any(
        each.name == known.name and is_file(each.path) for each in list_models()
    )
    is_here = there or is_file(options.source)
    missing = list(find_shortages(None if is_here else known, find_models_folder()))
    if missing and not (is_here or options.anyway):
        raise CommandFailed(f"{options.source} is not fetched: {'; '.join(missing)} (--anyway fetches it)")
    for each in missing:
        note(f"{options.source}: {each}")


def _list(options: argparse.Namespace) -> int:
    """List the models that were added, and the known models that can be added."""
    added = list_models()
    names = {model.name for model in added}
    shown = ("bytes", "memory_gigabytes", "context_tokens", "licence", "sha256", "url", "package", "measured")
    known = [
        {"name": each.name, "added": each.name in names, "about": each.about}
        | {key: getattr(each, key) or None for key in shown}
        for each in KNOWN_MODELS
    ]
    models = [_entry(each) for each in added]
    servers = find_local_servers()
    data = {"models": models, "known": known, "servers": [asdict(each) for each in servers]}
    emit(options, data, (*_listed(models, known), *describe_servers(servers)))
    return FINE


def describe_servers(servers: Sequence[LocalServer]) -> Iterator[str]:
    """Yield lines about the model servers on this machine, and about how to use the last of them."""
    for each in servers:
        yield f"Running on this machine: {each.kind} at {each.address} ({', '.join(each.models)})"
    for each in servers[-1:]:
        yield f"To use it, write into {find_user_settings()}:"
        yield from (f'  {name} = "{value}"' for name, value in each.settings.items())


def _remove(options: argparse.Namespace) -> int:
    """Remove a model from the list, and delete its file if lexls downloaded or copied it."""
    model = forget(options.name)
    if model is None:
        raise CommandFailed(f"no model called {options.name} was added", USAGE)
    what = f"deleted {model.path}" if model.owned else f"{model.path} stays where it is"
    emit(options, {"removed": model.name, "deleted": model.owned}, [f"{model.name} removed; {what}"])
    return FINE


def _use(name: str) -> str:
    """Change the user's settings so that the model is used, and return the path of the settings file."""
    path = Path(os.path.realpath(find_user_settings()))
    lines = f'explain.generator = "llama" and llama.model = "{name}"'
    try:
        if not change_settings(path, {"explain.generator": "llama", "llama.model": name}):
            raise CommandFailed(f"{path}: is written in a way that only you should change; add {lines} there")
    except ValueError as error:
        raise CommandFailed(f"{path}: is not valid TOML ({error}); mend it, then add {lines}") from None
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror or error}") from None
    return str(path)


def _entry(model: Any) -> dict[str, Any]:
    texts = {key: getattr(model, key) or None for key in ("sha256", "verified", "source", "licence")}
    where = {"name": model.name, "path": str(model.path), "exists": model.path.is_file()}
    return {**where, "bytes": model.bytes, **texts}


def _described(data: dict[str, Any]) -> str:
    facts = [
        data["title"],
        f"architecture {data['architecture']}",
        _size(data["bytes"]),
        f"trained on {data['context_tokens']} tokens of context" if data["context_tokens"] else "",
        f"licence {data['licence']}" if data["licence"] else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def _compared(verified: str, sha256: str) -> str:
    whom = {
        "known": "as lexls knows it",
        "given": "as you gave it",
        "server": "as the server announced it (lexls knows none for this file)",
    }
    if not sha256:
        return "its checksum was not taken"
    return f"SHA-256 {sha256}, " + whom.get(verified, "compared with nothing")


def _listed(models: list[dict[str, Any]], known: list[dict[str, Any]]) -> Iterator[str]:
    yield "Added:" if models else "No model file is added."
    for each in models:
        state = _size(each["bytes"]) if each["exists"] else "THE FILE IS GONE"
        yield f"  {each['name']}  {state}  {each['path']}"
    yield "Known (lexls models add NAME):"
    for each in known:
        if not each["added"]:
            memory = f"about {each['memory_gigabytes']} GB of memory"
            yield f"  {each['name']}  {_size(each['bytes'])} to fetch, {memory}; licence {each['licence']}"
            yield f"    {each['about']}"
            if each["measured"]:
                yield f"    measured: {each['measured']}"


def run_prompts(options: argparse.Namespace) -> int:
    """Show, write or check the prompt templates."""
    return {"show": _show, "write": _write, "check": _check}[options.action](options)


def _show(options: argparse.Namespace) -> int:
    if options.name not in TEMPLATE_NAMES:
        raise CommandFailed(f'"{options.name}" is none of {", ".join(TEMPLATE_NAMES)}', USAGE)
    folder = _own_folder()
    path = folder / f"{options.name}.md" if folder is not None else None
    try:
        template = load_template(options.name, folder)
        own = path is not None and template.own
        text = path.read_text(encoding="utf-8-sig") if path and own else read_own_template(options.name)
    except (PromptTemplateError, OSError) as error:
        raise CommandFailed(str(error)) from error
    file = str(path) if own else None
    data = {"name": template.name, "version": template.version, "file": file, "text": text}
    emit(options, data, [text.rstrip("\n")])
    return FINE


def _write(options: argparse.Namespace) -> int:
    folder: Path = options.to
    written, kept = [], []
    with using_files(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in TEMPLATE_NAMES:
            path = folder / f"{name}.md"
            try:
                with path.open("x", encoding="utf-8", newline="\n") as file:
                    file.write(read_own_template(name))
                written.append(str(path))
            except FileExistsError:
                kept.append(str(path))
    lines = [
        *(f"{path}: written" for path in written),
        *(f"{path}: is there, left as it is" for path in kept),
    ]
    if folder.resolve() != _own_folder():
        lines.append(f'To use them: explain.promptFolder = "{folder.resolve().as_posix()}" in your settings')
    emit(options, {"written": written, "kept": kept}, lines)
    return FINE


def _check(options: argparse.Namespace) -> int:
    folder = options.folder or _own_folder()
    if folder is None:
        raise CommandFailed("name a folder; explain.promptFolder is not set", USAGE)
    if not folder.is_dir():
        raise CommandFailed(f"{folder} is no folder", USAGE)
    own, problems = [], []
    for name in TEMPLATE_NAMES:
        try:
            template = load_template(name, folder)
        except PromptTemplateError as error:
            problems.append(str(error))
            continue
        if template.own:
            own.append({"name": name, "version": template.version, "file": str(folder / f"{name}.md")})
    unused = sorted(path.name for path in folder.glob("*.md") if path.stem not in TEMPLATE_NAMES)
    problems += [f"{folder / name}: no prompt is called so ({', '.join(TEMPLATE_NAMES)})" for name in unused]
    lines = [f"{each['file']}: fine, version {each['version']}" for each in own] + problems
    emit(options, {"templates": own, "problems": problems}, lines or [f"{folder}: no templates"])
    return FINDINGS if problems else FINE


def _own_folder() -> Path | None:
    """Return the folder of the user's own templates from the settings, or None."""
    return load_settings().explain_prompt_folder
