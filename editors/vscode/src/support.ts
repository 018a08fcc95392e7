/** The picker of authorities that support what stands at the cursor: found, looked at, inserted. */
import * as vscode from "vscode";
import type { WorkspaceEdit } from "vscode-languageclient/node";
import type { LexlsClient } from "./client";
import type { Evidence } from "./evidence";
import { sayWhere, selection, type Explaining } from "./explaining";
import { chooseCondition, readFilter } from "./filters";
import { PassagePreview } from "./passage";
import type { Commands, Hit } from "./protocol";

type Argument = Commands["lexls.findSupport"]["argument"];

interface Item extends vscode.QuickPickItem {
  readonly hit: Hit;
}

/** What may be done with an authority in the list, by the command that a key runs; Enter inserts it. */
const ACTIONS = {
  "lexls.insertWithQuotation": { icon: "quote", tooltip: "Insert with its words (Ctrl+Enter)" },
  "lexls.insertShortForm": { icon: "symbol-text", tooltip: "Insert the short form (Shift+Enter)" },
  "lexls.copyCitation": { icon: "copy", tooltip: "Copy the citation (Ctrl+Shift+C)" },
  "lexls.explainSupport": { icon: "comment-discussion", tooltip: "Explain how it supports the sentence (Ctrl+Shift+X)" },
  "lexls.keepPassage": { icon: "open-preview", tooltip: "Keep the passage open beside the draft (Ctrl+Shift+O)" },
} as const;

type Action = keyof typeof ACTIONS;

const FILTER = "lexls.filterSupport";
const BUTTONS = new Map(
  Object.entries(ACTIONS).map(([action, { icon, tooltip }]) => [
    action as Action,
    { iconPath: new vscode.ThemeIcon(icon), tooltip: forKeyboard(tooltip) },
  ]),
);
const FILTER_BUTTON: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("filter"),
  tooltip: forKeyboard("Only authorities of a court, date, kind or jurisdiction (Ctrl+Shift+F)"),
};
/** While it is set, our keys work. */
const OPEN = "lexls.choosingSupport";
/** How long typing rests before the library is searched with another filter, in milliseconds. */
const REST = 250;

/** Offers the authorities for a place in a draft, and writes the chosen one into it. */
export class Support implements vscode.Disposable {
  readonly #registered: vscode.Disposable;
  #act: ((action: Action | typeof FILTER) => void) | undefined;

  constructor(
    private readonly explaining: Explaining,
    private readonly evidence: Evidence,
  ) {
    const names = [...BUTTONS.keys(), FILTER] as const;
    this.#registered = vscode.Disposable.from(
      ...names.map(action => vscode.commands.registerCommand(action, () => this.#act?.(action))),
    );
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** By default for the selection of the active editor. */
  readonly choose = async (client: LexlsClient, argument?: Argument): Promise<void> => {
    const place = argument ?? selection(client);
    if (place === undefined) {
      sayWhere();
      return;
    }
    // Nothing is waited for before the picker is there: what is typed meanwhile would go into the draft.
    const uri = client.protocol2CodeConverter.asUri(place.uri).toString();
    const draft = vscode.workspace.textDocuments.find(each => each.uri.toString() === uri);
    const version = draft?.version;
    const chosen = await this.#pick(client, place);
    if (chosen === undefined) {
      return;
    }
    if (draft?.isClosed !== false || draft.version !== version) {
      void vscode.window.showWarningMessage("lexls: the draft changed in the meantime; nothing was inserted.");
      return;
    }
    const edit = await client.protocol2CodeConverter.asWorkspaceEdit(chosen);
    if (edit === undefined || !(await vscode.workspace.applyEdit(edit))) {
      void vscode.window.showErrorMessage("lexls: the citation could not be inserted.");
    }
  };

  /** The edit that was chosen; the picker comes again after a condition was added to its filter. */
  async #pick(client: LexlsClient, place: Argument): Promise<WorkspaceEdit | undefined> {
    const preview = new PassagePreview(this.evidence);
    const editor = vscode.window.activeTextEditor;
    void vscode.commands.executeCommand("setContext", OPEN, true);
    try {
      for (let text = ""; ; ) {
        const chosen = await this.#ask(client, place, preview, text);
        if (typeof chosen !== "string") {
          return chosen;
        }
        text = (await chooseCondition(client, place.uri, chosen)) ?? chosen;
      }
    } finally {
      void vscode.commands.executeCommand("setContext", OPEN, false);
      // Then the draft is as wide as before, and may lie elsewhere in its window.
      void preview.end().then(() =>
        editor?.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport),
      );
    }
  }

  /** Shows the picker at once and fills it when the answer comes; the text of its box where a filter is wanted. */
  #ask(
    client: LexlsClient,
    place: Argument,
    preview: PassagePreview,
    text: string,
  ): Promise<WorkspaceEdit | string | undefined> {
    const picker = vscode.window.createQuickPick<Item>();
    picker.title = "Supporting authority";
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    picker.buttons = [FILTER_BUTTON];
    const search = new Search(client, place, picker);
    const chosen = new Promise<WorkspaceEdit | string | undefined>((resolve, reject) => {
      const end = (result: WorkspaceEdit | string | undefined) => {
        resolve(result);
        picker.hide();
      };
      const act = (action: Action | typeof FILTER, item = picker.activeItems[0]) => {
        if (action === FILTER) {
          end(picker.value);
        } else if (item !== undefined) {
          this.#run(action, client, place, item.hit, preview, end);
        }
        picker.ignoreFocusOut ||= action === "lexls.explainSupport" || action === "lexls.keepPassage";
      };
      this.#act = act;
      picker.onDidAccept(() => end(picker.selectedItems[0]?.hit.edit));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidChangeValue(() => search.later());
      picker.onDidChangeActive(([item]) => {
        if (item !== undefined) {
          preview.show(client.protocol2CodeConverter.asLocation(item.hit.target));
        }
      });
      picker.onDidTriggerButton(() => act(FILTER));
      picker.onDidTriggerItemButton(({ item, button }) => {
        const action = [...BUTTONS].find(([, each]) => each === button)?.[0];
        if (action !== undefined) {
          act(action, item);
        }
      });
      picker.show();
      picker.value = text; // what is there before it is shown is selected, and the next key would take its place
      search.now().catch((error: unknown) => {
        reject(error as Error);
        picker.hide();
      });
    });
    return chosen.finally(() => {
      this.#act = undefined;
      search.dispose();
      picker.dispose();
    });
  }

  #run(
    action: Action,
    client: LexlsClient,
    place: Argument,
    hit: Hit,
    preview: PassagePreview,
    end: (edit: WorkspaceEdit | undefined) => void,
  ): void {
    switch (action) {
      case "lexls.insertWithQuotation":
        end(hit.quotationEdit);
        break;
      case "lexls.insertShortForm":
        if (hit.shortEdit === null) {
          void vscode.window.showInformationMessage(`lexls: the draft does not cite ${hit.title} in full before.`);
        } else {
          end(hit.shortEdit);
        }
        break;
      case "lexls.copyCitation":
        void vscode.env.clipboard.writeText(hit.written);
        vscode.window.setStatusBarMessage(`lexls: copied ${hit.title}`, 3000);
        end(undefined);
        break;
      case "lexls.explainSupport":
        void this.explaining.explain(client, { ...place, authority: hit.authority });
        break;
      case "lexls.keepPassage":
        void preview.keep(client.protocol2CodeConverter.asLocation(hit.target));
        break;
    }
  }
}

/** Fills a picker with what is found, by the filter that its box holds. */
class Search implements vscode.Disposable {
  #asking = new vscode.CancellationTokenSource();
  #waiting: NodeJS.Timeout | undefined;
  #filter = "";
  #items: readonly Item[] | undefined;

  constructor(
    private readonly client: LexlsClient,
    private readonly place: Argument,
    private readonly picker: vscode.QuickPick<Item>,
  ) {}

  /** Looks at what was typed: at once where only words changed, else after a moment. */
  later(): void {
    clearTimeout(this.#waiting);
    const { filter } = readFilter(this.picker.value);
    if (this.#items !== undefined && JSON.stringify(filter) === this.#filter) {
      this.#fill();
    } else {
      this.#waiting = setTimeout(() => void this.now(), REST);
    }
  }

  async now(): Promise<void> {
    this.#asking.cancel();
    const { token } = (this.#asking = new vscode.CancellationTokenSource());
    const { filter } = readFilter(this.picker.value);
    this.#filter = JSON.stringify(filter);
    this.picker.busy = true;
    this.picker.placeholder = "Searching your library…";
    try {
      const hits = (await this.client.execute("lexls.findSupport", { ...this.place, filter }, token)) ?? [];
      if (!token.isCancellationRequested) {
        this.#items = hits.map(item);
        const [best] = hits;
        this.picker.placeholder =
          best === undefined
            ? "Nothing in your library fits this sentence."
            : best.distance || "Enter inserts the citation. Type to narrow: words, court: kind: in: after: before:";
        this.picker.busy = false;
        this.#fill();
      }
    } catch (error) {
      if (!token.isCancellationRequested) {
        throw error;
      }
    }
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    this.#asking.cancel();
    this.#asking.dispose();
  }

  /** VS Code narrows by words; where conditions stand among them it would look for those, too. */
  #fill(): void {
    const { words } = readFilter(this.picker.value);
    const items = this.#items ?? [];
    if (this.#filter === "{}") {
      if (this.picker.items !== items) {
        this.picker.items = items;
      }
      return;
    }
    const says = ({ label, description = "", detail = "" }: Item, word: string) =>
      `${label} ${description} ${detail}`.toLowerCase().includes(word);
    this.picker.items = items
      .filter(each => words.every(word => says(each, word)))
      .map(each => ({ ...each, alwaysShow: true }));
  }
}

function item(hit: Hit): Item {
  const notes = [hit.shortEdit === null ? "" : "cited in this draft", hit.warning && `$(warning) ${hit.warning}`];
  const offered = [...BUTTONS].filter(([action]) => action !== "lexls.insertShortForm" || hit.shortEdit !== null);
  return {
    hit,
    label: hit.title,
    description: [hit.cited, ...notes].filter(part => part !== "").join(" · "),
    detail: hit.quote,
    buttons: offered.map(([, button]) => button),
  };
}

function forKeyboard(tooltip: string): string {
  return process.platform === "darwin" ? tooltip.replace("Ctrl+", "⌘") : tooltip;
}
