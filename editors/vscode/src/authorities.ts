/** The authorities of the draft in front, as a tree: each with its verdict, below it the places that cite it. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import { isDraft } from "./drafts";
import type { Evidence } from "./evidence";
import type { CitedAuthority, CitedPlace, Verdict } from "./protocol";

/** An authority of the draft, or one of the places that cite it. */
type Node =
  | { readonly kind: "authority"; readonly authority: CitedAuthority }
  | { readonly kind: "place"; readonly authority: CitedAuthority; readonly place: CitedPlace; readonly number: number };

/** How long a draft rests before its authorities are read again, in milliseconds. */
const REST = 600;

const ICONS: Readonly<Record<Verdict, vscode.ThemeIcon>> = {
  verified: new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed")),
  partly: new vscode.ThemeIcon("question", new vscode.ThemeColor("charts.yellow")),
  identified: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")),
  wrong: new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground")),
  "in-catalogue": new vscode.ThemeIcon("list-selection", new vscode.ThemeColor("charts.yellow")),
  "not-in-library": new vscode.ThemeIcon("search-stop", new vscode.ThemeColor("list.warningForeground")),
  "not-checkable": new vscode.ThemeIcon("circle-slash"),
};
const FOUND_IN = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));

export class Authorities implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #registered: vscode.Disposable;
  /** The document in front, if it may be a draft, and the draft whose authorities are listed. */
  #front: vscode.TextDocument | undefined;
  #draft: vscode.TextDocument | undefined;
  #listed: readonly CitedAuthority[] = [];
  /** What is listed, as text: what did not change is not drawn again. */
  #known = "";
  #waiting: NodeJS.Timeout | undefined;
  #asking = new vscode.CancellationTokenSource();

  constructor(
    private readonly client: () => Promise<LexlsClient>,
    private readonly evidence: Evidence,
  ) {
    this.#view = vscode.window.createTreeView("lexls.authorities", { treeDataProvider: this, showCollapseAll: true });
    const command = (name: string, run: (node: Node | undefined) => unknown) =>
      vscode.commands.registerCommand(name, (node?: Node) => run(node ?? this.#view.selection[0]));
    this.#registered = vscode.Disposable.from(
      this.#view,
      this.#changed,
      this.#view.onDidChangeVisibility(() => this.refresh(0)),
      vscode.window.onDidChangeActiveTextEditor(editor => this.#turnTo(editor)),
      // A window that comes back may have a page of ours in front.
      vscode.window.onDidChangeVisibleTextEditors(() => this.#front ?? this.#turnTo(visibleDraft())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => document === this.#front && this.refresh()),
      vscode.workspace.onDidCloseTextDocument(document => this.#close(document)),
      // They change with the library, too.
      vscode.languages.onDidChangeDiagnostics(({ uris }) =>
        uris.some(uri => uri.toString() === this.#front?.uri.toString()) ? this.refresh() : undefined,
      ),
      command("lexls.openAuthority", node => this.#open(node)),
      command("lexls.revealPlace", node => this.#reveal(node)),
      command("lexls.findPlaces", node => this.#find(node)),
      command("lexls.refreshAuthorities", () => this.refresh(0)),
    );
    this.#turnTo(vscode.window.activeTextEditor ?? visibleDraft());
  }

  dispose(): void {
    clearTimeout(this.#waiting);
    this.#asking.cancel();
    this.#registered.dispose();
  }

  /** Reads the draft's authorities again in a moment; nothing is asked while nobody looks. */
  refresh(rest = REST): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#read(), rest);
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return this.#listed.map(authority => ({ kind: "authority", authority }));
    }
    if (node.kind === "place") {
      return [];
    }
    const { authority } = node;
    return authority.places.map((place, number) => ({ kind: "place", authority, place, number }));
  }

  getParent(node: Node): Node | undefined {
    return node.kind === "place" ? { kind: "authority", authority: node.authority } : undefined;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return node.kind === "authority" ? authorityItem(node.authority) : placeItem(node.authority, node.place, node.number);
  }

  /** What is listed stays while something else than a draft is in front, such as one of its authorities. */
  #turnTo(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && editor.document !== this.#front && isDraft(editor.document)) {
      this.#front = editor.document;
      this.refresh(0);
    }
  }

  #close(document: vscode.TextDocument): void {
    if (document === this.#front) {
      this.#front = this.#draft === document ? undefined : this.#draft;
    }
    if (document === this.#draft) {
      this.#list(undefined, []);
    }
  }

  async #read(): Promise<void> {
    if (!this.#view.visible) {
      return;
    }
    this.#asking.cancel();
    const { token } = (this.#asking = new vscode.CancellationTokenSource());
    const draft = this.#front;
    if (draft === undefined) {
      this.#list(undefined, []);
      return;
    }
    // Without a server there is nothing to list; its status says why.
    const client = await this.client().catch(() => undefined);
    const uri = client?.code2ProtocolConverter.asUri(draft.uri) ?? "";
    const found = await client?.execute("lexls.authorities", { uri }, token).catch(() => undefined);
    // Null: the library is not open yet, or this is one of its authorities.
    if (!token.isCancellationRequested && found !== undefined && found !== null) {
      this.#list(draft, found);
    }
  }

  #list(draft: vscode.TextDocument | undefined, found: readonly CitedAuthority[]): void {
    const known = JSON.stringify([draft?.uri.toString(), found]);
    if (known !== this.#known) {
      this.#known = known;
      this.#draft = draft;
      this.#listed = found;
      this.#view.description = draft === undefined ? "" : path.basename(draft.uri.path);
      this.#view.message = message(draft, found);
      this.#changed.fire(undefined);
    }
  }

  async #open(node: Node | undefined): Promise<void> {
    const target = node?.kind === "place" ? (node.place.target ?? node.authority.target) : node?.authority.target;
    if (target !== undefined && target !== null) {
      await this.evidence.show((await this.client()).protocol2CodeConverter.asLocation(target));
    }
  }

  /** Goes to a place of the draft, by default the first. */
  async #reveal(node: Node | undefined): Promise<vscode.TextEditor | undefined> {
    const place = node?.kind === "place" ? node.place : node?.authority.places[0];
    if (place === undefined || this.#draft === undefined) {
      return undefined;
    }
    const column = vscode.window.visibleTextEditors.find(each => each.document === this.#draft)?.viewColumn;
    const options = { selection: asRange(place.range), viewColumn: column ?? vscode.ViewColumn.Active };
    return vscode.window.showTextDocument(this.#draft, options);
  }

  async #find(node: Node | undefined): Promise<void> {
    if ((await this.#reveal(node)) !== undefined) {
      await vscode.commands.executeCommand("references-view.findReferences");
    }
  }
}

function visibleDraft(): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => isDraft(document));
}

function authorityItem({ id, title, cited, verdict, state, warning, places, authority }: CitedAuthority): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Collapsed);
  const found = places.reduce((count, place) => count + place.remarks.length, 0);
  item.id = id;
  item.iconPath = verdict === "wrong" ? ICONS.wrong : found > 0 || warning !== "" ? FOUND_IN : ICONS[verdict];
  item.description = [warning || findings(found) || state, cited].filter(part => part !== "").join(" · ");
  const all = places.map(place => `line ${place.range.start.line + 1}: ${[place.reason, ...place.remarks].join("; ")}`);
  item.tooltip = [`${title} ${cited}`.trim(), warning, ...all].filter(part => part !== "").join("\n\n");
  item.accessibilityInformation = { label: `${title} ${item.description}, cited ${times(places.length)}` };
  item.contextValue = authority === null ? "missing" : "authority";
  return item;
}

function placeItem(authority: CitedAuthority, place: CitedPlace, number: number): vscode.TreeItem {
  const item = new vscode.TreeItem(place.text);
  item.id = `${authority.id} ${number}`;
  item.iconPath = place.remarks.length > 0 ? FOUND_IN : ICONS[place.verdict];
  item.description = [`line ${place.range.start.line + 1}`, findings(place.remarks.length) || place.state].join(" · ");
  item.tooltip = [place.text, place.reason, ...place.remarks].join("\n\n");
  item.accessibilityInformation = { label: [`${place.text} ${item.description}`, ...place.remarks].join(", ") };
  item.contextValue = place.target === null ? "place" : "place passage";
  const node: Node = { kind: "place", authority, place, number };
  item.command = { title: "Go to the Citation", command: "lexls.revealPlace", arguments: [node] };
  return item;
}

function message(draft: vscode.TextDocument | undefined, found: readonly CitedAuthority[]): string {
  if (draft === undefined) {
    return "Open a draft to see what it cites.";
  }
  return found.length === 0 ? "This draft cites nothing yet." : "";
}

function findings(count: number): string {
  return count === 0 ? "" : count === 1 ? "1 finding" : `${count} findings`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function asRange({ start, end }: CitedPlace["range"]): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
