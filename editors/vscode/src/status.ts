/** What the server is doing, in the language status of a draft. */
import * as vscode from "vscode";
import { DRAFTS } from "./client";
import type { ServerStatus } from "./protocol";

/** What there is to say beside the server's own status. */
export type Life =
  | { readonly kind: "starting" }
  | { readonly kind: "stopped"; readonly reason: string }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "running"; readonly status: ServerStatus | undefined };

interface Shown {
  readonly text: string;
  readonly detail?: string;
  readonly busy?: boolean;
  readonly severity?: vscode.LanguageStatusSeverity;
  readonly command: vscode.Command;
}

const DETAILS = { title: "Details", command: "lexls.showStatus" };
const LOG = { title: "Show Log", command: "lexls.showLog" };
const LIBRARY = {
  title: "Choose Folders",
  command: "workbench.action.openSettings",
  arguments: ["lexls.library.folders"],
};
const BUSY: Readonly<Record<string, string>> = {
  starting: "opening the library",
  scanning: "looking through the library",
  reading: "indexing",
  ocr: "reading scans",
  embedding: "preparing search by meaning",
};
const RESTART = { title: "Restart", command: "lexls.restartServer" };

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.languages.createLanguageStatusItem("lexls.status", DRAFTS);

  constructor() {
    this.#item.name = "lexls";
    this.show({ kind: "starting" });
  }

  show(life: Life): void {
    const shown = describe(life);
    this.#item.text = `lexls: ${shown.text}`;
    this.#item.detail = shown.detail ?? "";
    this.#item.busy = shown.busy ?? false;
    this.#item.severity = shown.severity ?? vscode.LanguageStatusSeverity.Information;
    this.#item.command = shown.command;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function describe(life: Life): Shown {
  const { Error, Warning } = vscode.LanguageStatusSeverity;
  switch (life.kind) {
    case "starting":
      return { text: "starting", busy: true, command: LOG };
    case "missing":
      return { text: "not found", detail: life.reason, severity: Error, command: RESTART };
    case "stopped":
      return { text: "stopped", detail: life.reason, severity: Error, command: RESTART };
    case "running":
      break;
  }
  const status = life.status;
  if (status === undefined) {
    return { text: "running", command: DETAILS };
  }
  const detail = status.message;
  switch (status.phase) {
    case "ready":
      return { text: "ready", detail, command: DETAILS };
    case "lexical":
      return { text: "ready, searching by words only", detail, command: DETAILS };
    case "none":
      return { text: "no library", detail, severity: Warning, command: LIBRARY };
    case "failed":
      return { text: "indexing failed", detail, severity: Error, command: LOG };
    default:
      return { text: `${BUSY[status.phase] ?? status.phase}${share(status)}`, detail, busy: true, command: DETAILS };
  }
}

function share({ done, total }: ServerStatus): string {
  return total === 0 ? "" : ` ${done}/${total}`;
}
