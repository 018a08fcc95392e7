"""``lexls prompts``: the prompts of models, to be read, written out for editing, and checked."""

from __future__ import annotations

import argparse
from pathlib import Path

from lexls.cli.context import load_settings
from lexls.cli.output import FINDINGS, FINE, USAGE, CommandFailed, emit, using_files
from lexls.grounding.prompts.templates import (
    TEMPLATE_NAMES,
    PromptTemplateError,
    load_template,
    read_own_template,
)


def run_prompts(options: argparse.Namespace) -> int:
    """Show, write or check the templates."""
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
    """The folder of the user's own templates that the settings name."""
    return load_settings().explain_prompt_folder
