/** A passage shown in its source beside a draft while somebody chooses, and put away again. */
import * as vscode from "vscode";
import type { Evidence } from "./evidence";

/** So long the choice must rest on something before that is shown, in milliseconds. */
const REST = 90;

/** Shows one passage after another beside the draft; the focus stays where it is. */
export class PassagePreview {
  /** The tabs that were there before the first passage. */
  readonly #before = new Set(tabs().map(name));
  #waiting: NodeJS.Timeout | undefined;
  /** The passage that is being shown, and what comes after it. */
  #showing: Promise<void> | undefined;
  #ended = false;

  constructor(private readonly evidence: Evidence) {}

  /** Shows a passage in a moment, unless another is wanted by then. */
  show(target: vscode.Location): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => this.#next(target), this.#showing === undefined ? 0 : REST);
  }

  /** Shows a passage now, and leaves it open when the preview ends. */
  keep(target: vscode.Location): Promise<void> {
    // In turn with what is being shown, so that an end that comes at once finds it kept.
    return (this.#showing = (this.#showing ?? Promise.resolve())
      .then(() => this.evidence.show(target, { preserveFocus: true }))
      .then(() => tabs().forEach(tab => this.#before.add(name(tab)))));
  }

  /** Closes what was opened. */
  async end(): Promise<void> {
    clearTimeout(this.#waiting);
    this.#ended = true;
    await this.#showing;
    const opened = tabs().filter(tab => !this.#before.has(name(tab)));
    await vscode.window.tabGroups.close(opened, true);
  }

  #next(target: vscode.Location): void {
    // What cannot be shown while one goes through the list is told when somebody opens it.
    this.#showing = (this.#showing ?? Promise.resolve())
      .then(() => (this.#ended ? undefined : this.evidence.show(target, { preserveFocus: true })))
      .catch(() => undefined);
  }
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(group => group.tabs);
}

function name({ group, input, label }: vscode.Tab): string {
  const what =
    input instanceof vscode.TabInputText
      ? input.uri.toString()
      : input instanceof vscode.TabInputWebview
        ? input.viewType
        : label;
  return `${group.viewColumn} ${what}`;
}
