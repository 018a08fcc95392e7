/** What lexls is doing, in words, in the status bar of a draft; a click says more and what can be done. */
import * as vscode from "vscode";
import { isDraft } from "./drafts";
import type { CheckedDraft, Phase, ServerStatus } from "./protocol";

/** What there is to say beside the server's own status. */
export type Life =
  | { readonly kind: "starting" }
  | { readonly kind: "stopped"; readonly reason: string }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "running"; readonly status: ServerStatus | undefined };

interface Shown {
  readonly icon: string;
  readonly text: string;
  readonly detail?: string;
  readonly isWrong?: boolean;
}

interface Action extends vscode.QuickPickItem {
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

const BUSY: ReadonlyMap<Phase, string> = new Map([
  ["starting", "opening the library"],
  ["scanning", "looking through the library"],
  ["reading", "reading"],
  ["citations", "reading citations"],
  ["ocr", "reading scans"],
  ["embedding", "preparing search by meaning"],
]);

export class StatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("lexls.status", vscode.StatusBarAlignment.Left, -10);
  readonly #listening: vscode.Disposable[];
  readonly #checked = new Map<string, CheckedDraft>();
  #life: Life = { kind: "starting" };

  constructor() {
    this.#item.name = "lexls";
    this.#item.command = "lexls.showMenu";
    const show = () => this.#show();
    this.#listening = [
      vscode.window.onDidChangeActiveTextEditor(show),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#checked.delete(uri.toString())),
    ];
    this.show({ kind: "starting" });
  }

  show(life: Life): void {
    this.#life = life;
    if (life.kind !== "running") {
      this.#checked.clear(); // another server counts anew
    }
    const phase = life.kind === "running" ? (life.status?.phase ?? "starting") : life.kind;
    const has = (...phases: string[]) => !phases.includes(phase);
    // For what a view shows while it is empty, and for the steps of the walkthrough.
    void vscode.commands.executeCommand("setContext", "lexls.state", phase);
    void vscode.commands.executeCommand("setContext", "lexls.hasLibrary", has("starting", "stopped", "missing", "none"));
    void vscode.commands.executeCommand("setContext", "lexls.hasModel", phase === "embedding" || phase === "ready");
    this.#show();
  }

  /** The verdicts on the citations of a draft changed. */
  count(draft: CheckedDraft): void {
    this.#checked.set(vscode.Uri.parse(draft.uri).toString(), draft);
    this.#show();
  }

  /** What lexls is doing and what can be done about it. */
  async menu(): Promise<void> {
    const shown = describe(this.#life, this.#summary());
    const options = { title: `lexls: ${shown.text}`, placeHolder: shown.detail ?? "What shall lexls do?" };
    const chosen = await vscode.window.showQuickPick(actions(this.#life, findings()), options);
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
    }
  }

  dispose(): void {
    this.#item.dispose();
    vscode.Disposable.from(...this.#listening).dispose();
  }

  #show(): void {
    const document = vscode.window.activeTextEditor?.document;
    const isBusy = this.#life.kind === "running" && BUSY.has(this.#life.status?.phase ?? "starting");
    if (!isBusy && (document === undefined || !isDraft(document))) {
      this.#item.hide();
      return;
    }
    const shown = describe(this.#life, this.#summary());
    this.#item.text = `$(${shown.icon}) lexls: ${shown.text}`;
    this.#item.tooltip = [shown.detail, "Click for what can be done."].filter(each => each).join("\n");
    this.#item.accessibilityInformation = { label: `lexls: ${shown.text}`, role: "button" };
    this.#item.backgroundColor = shown.isWrong === true ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.show();
  }

  /** What the server says of the citations of the open draft; undefined if it has none or was not checked. */
  #summary(): string | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const draft = uri === undefined ? undefined : this.#checked.get(uri.toString());
    return draft !== undefined && Object.keys(draft.counts).length > 0 ? draft.summary : undefined;
  }
}

/** How many citations and quotations of the open draft are marked as wrong or doubtful. */
function findings(): number {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const found = uri === undefined ? [] : vscode.languages.getDiagnostics(uri);
  return found.filter(({ source, severity }) => source === "lexls" && severity <= vscode.DiagnosticSeverity.Warning).length;
}

function describe(life: Life, summary: string | undefined): Shown {
  switch (life.kind) {
    case "starting":
      return { icon: "loading~spin", text: "starting" };
    case "missing":
      return { icon: "warning", text: "not found: install", detail: life.reason, isWrong: true };
    case "stopped":
      return { icon: "warning", text: "stopped", detail: life.reason, isWrong: true };
    case "running":
      break;
  }
  const status = life.status;
  if (status === undefined) {
    return { icon: "loading~spin", text: "opening the library" };
  }
  const { phase, done, total, authorities, message: detail } = status;
  const share = total === 0 ? "" : ` ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  const busy = BUSY.get(phase);
  switch (phase) {
    case "none":
      return { icon: "warning", text: "no library: choose folders", detail: "No folder with authorities is chosen yet.", isWrong: true };
    case "failed":
      return { icon: "warning", text: "the library cannot be read", detail, isWrong: true };
    case "paused":
      return { icon: "debug-pause", text: `paused${share}`, detail };
    case "ready":
    case "lexical":
      return { icon: "law", text: summary ?? count(authorities, "authority"), detail };
    default:
      return { icon: "loading~spin", text: `${busy ?? phase}${share}`, detail };
  }
}

function actions(life: Life, marked: number): Action[] {
  const install = { label: "$(cloud-download) Install lexls", command: "lexls.install" };
  const log = { label: "$(output) Show the log", command: "lexls.showLog" };
  const restart = { label: "$(debug-restart) Restart lexls", command: "lexls.restartServer" };
  const start = { label: "$(question) Getting started", command: "lexls.getStarted" };
  if (life.kind === "missing") {
    return [install, log, start];
  }
  const choose = { label: "$(folder-library) Choose library folders…", command: "lexls.chooseLibrary" };
  const phase = life.kind === "running" ? life.status?.phase : undefined;
  if (phase === undefined) {
    return [restart, log, start];
  }
  const problems = { label: `$(warning) Show ${count(marked, "problem")}`, command: "workbench.actions.view.problems" };
  const meaning = { label: "$(cloud-download) Get the model for search by meaning", command: "lexls.getModel" };
  const resume = { label: "$(debug-continue) Resume indexing", command: "lexls.resumeIndexing" };
  const pause = { label: "$(debug-pause) Pause indexing", command: "lexls.pauseIndexing" };
  return [
    ...(marked > 0 ? [problems] : []),
    ...(phase === "paused" ? [resume] : []),
    choose,
    ...(phase === "lexical" ? [meaning] : []),
    ...(BUSY.has(phase) ? [pause] : []),
    { label: "$(info) Show what was read and what was not", command: "lexls.showStatus" },
    log,
    restart,
    start,
  ];
}

/** "1 authority", "1,042 authorities", "3 problems". */
function count(number: number, noun: string): string {
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}
