/** Shows the source of what lexls says: a passage marked in its text, or on the pages of its PDF. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import type { FromEvidence, ToEvidence } from "./messages/evidence";
import { openPanel, restorePanels, View } from "./panel";
import type { PdfPassage } from "./protocol";
import { fromPageUri, OPEN_SOURCE, PAGE_SCHEME, parseAddress, toPageUri } from "./sources";

const PANEL = "lexls.evidence";
/** The custom editor that anybody may choose for a PDF, and the one for what `toPageUri` gives. */
const EDITORS = ["lexls.pdf", "lexls.page"];

export interface ShowOptions {
  /** Leaves the focus where it is, as while a list is gone through. */
  readonly preserveFocus?: boolean;
  /** It is asked for from one of our pages, which it must not hide. */
  readonly onPage?: boolean;
}

export class Evidence implements vscode.CustomReadonlyEditorProvider, vscode.TextDocumentContentProvider {
  #panel: vscode.WebviewPanel | undefined;
  #pages: PdfPages | undefined;
  readonly #marked = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
  });
  readonly #registered: vscode.Disposable;
  /** Where the definition that was asked for last is. */
  #definitions: readonly vscode.LocationLink[] = [];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly client: () => Promise<LexlsClient>,
  ) {
    const options = { webviewOptions: { retainContextWhenHidden: true }, supportsMultipleEditorsPerDocument: true };
    this.#registered = vscode.Disposable.from(
      this.#marked,
      ...EDITORS.map(type => vscode.window.registerCustomEditorProvider(type, this, options)),
      vscode.workspace.registerTextDocumentContentProvider(PAGE_SCHEME, this),
      vscode.commands.registerCommand(OPEN_SOURCE, (address: string, onPage = false) =>
        this.show(parseAddress(address), { onPage }),
      ),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#arrive(textEditor)),
      vscode.window.onDidChangeActiveTextEditor(editor => editor && this.#arrive(editor)),
      restorePanels<string>(PANEL, (panel, place) => this.#restore(panel, place)),
    );
  }

  /**
   * Shows a place in an authority as lexls gives it (the file, or its readable copy) beside what has the focus: a PDF
   * at its page with the passage's lines marked, anything else in an editor, scrolled to the passage and marked there.
   */
  async show(place: vscode.Location, { preserveFocus = false, onPage = false }: ShowOptions = {}): Promise<void> {
    const found = await this.#find(place);
    const viewColumn = onPage ? columnBesidePage() : this.#column();
    if (found === null) {
      await this.#showText(place, { viewColumn, preserveFocus, preview: true });
      return;
    }
    if (this.#panel === undefined) {
      this.#adopt(openPanel(PANEL, found.title, { viewColumn, preserveFocus }));
    } else {
      this.#panel.reveal(viewColumn, preserveFocus);
    }
    await this.#fill(place, found);
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    this.#pages = new PdfPages(panel.webview, this.extension);
    panel.onDidDispose(() => {
      this.#pages?.dispose();
      this.#panel = this.#pages = undefined;
    });
  }

  async #fill({ uri, range }: vscode.Location, found: PdfPassage): Promise<void> {
    if (this.#panel !== undefined) {
      this.#panel.title = found.title;
      await this.#pages?.show(found, toPageUri(uri, range).toString());
    }
  }

  /** Shows what was shown before the window was loaded anew. */
  async #restore(panel: vscode.WebviewPanel, kept: string | undefined): Promise<void> {
    const uri = vscode.Uri.parse(kept ?? "");
    if (this.#panel !== undefined || uri.scheme !== PAGE_SCHEME) {
      panel.dispose();
      return;
    }
    this.#adopt(panel);
    const place = fromPageUri(uri);
    const found = await this.#find(place).catch(() => null);
    if (found === null) {
      panel.dispose();
    } else {
      await this.#fill(place, found);
    }
  }

  /** The other one of two columns, but where the panel is what one reads. */
  #column(): vscode.ViewColumn {
    const active = vscode.window.tabGroups.activeTabGroup;
    if (this.#panel?.active === true) {
      return active.viewColumn;
    }
    return active.viewColumn === vscode.ViewColumn.One && active.tabs.length > 0
      ? vscode.ViewColumn.Two
      : vscode.ViewColumn.One;
  }

  async #find(place: vscode.Location): Promise<PdfPassage | null> {
    const client = await this.client();
    const uri = client.code2ProtocolConverter.asUri(place.uri);
    return client.execute("lexls.evidence", { uri, range: client.code2ProtocolConverter.asRange(place.range) });
  }

  async #showText({ uri, range }: vscode.Location, options: vscode.TextDocumentShowOptions): Promise<void> {
    let editor: vscode.TextEditor;
    try {
      const selection = new vscode.Range(range.start, range.start);
      editor = await vscode.window.showTextDocument(uri, { ...options, selection });
    } catch {
      // What is not text is opened by whichever editor knows it.
      await vscode.commands.executeCommand("vscode.open", uri, options);
      return;
    }
    editor.revealRange(this.#mark(editor, range), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Marks a passage, or the line where there is none, in one editor and nowhere else; what is marked. */
  #mark(editor: vscode.TextEditor, range: vscode.Range): vscode.Range {
    const whole = range.isEmpty ? editor.document.lineAt(range.start.line).range : range;
    for (const each of vscode.window.visibleTextEditors) {
      each.setDecorations(this.#marked, each === editor ? [whole] : []);
    }
    return whole;
  }

  /** Takes note of places that somebody may go to now: an editor opens them itself, and they are marked there. */
  readonly expect = (places: readonly vscode.LocationLink[]): void => {
    this.#definitions = places;
  };

  #arrive(editor: vscode.TextEditor): void {
    const at = editor.selection.active;
    const place = this.#definitions.find(
      ({ targetUri, targetRange }) =>
        targetRange.start.isEqual(at) && targetUri.toString() === editor.document.uri.toString(),
    );
    if (place !== undefined) {
      this.#definitions = [];
      this.#mark(editor, place.targetRange);
    }
  }

  // -- as an editor: a PDF that somebody opens with it, and what a definition leads to ---------------------------------

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor({ uri }: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const pages = new PdfPages(panel.webview, this.extension);
    panel.onDidDispose(() => pages.dispose());
    const found = uri.scheme === PAGE_SCHEME ? await this.#find(fromPageUri(uri)) : null;
    const name = uri.path.split("/").at(-1) ?? "";
    await pages.show(found ?? { uri: uri.toString(), title: name, passage: "", page: 1, pages: [] });
  }

  /** The text around a place that is shown on a page, for whoever peeks at it. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(fromPageUri(uri).uri));
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#registered.dispose();
  }
}

/** A column whose front is no page of ours: that the page got the focus with the click may not be known here yet. */
function columnBesidePage(): vscode.ViewColumn {
  const free = vscode.window.tabGroups.all.find(({ activeTab }) => !(activeTab?.input instanceof vscode.TabInputWebview));
  return free?.viewColumn ?? vscode.ViewColumn.One;
}

/** The pages of one PDF after the other in a webview. */
class PdfPages implements vscode.Disposable {
  readonly #view: View<ToEvidence, FromEvidence>;
  /** What is to be seen, with the file's bytes. */
  #shown: ToEvidence | undefined;

  constructor(webview: vscode.Webview, extension: vscode.Uri) {
    this.#view = new View(webview, extension, {
      script: "evidence",
      label: "Source",
      told: () => (this.#shown === undefined ? [] : [this.#shown]),
      heard: ({ failed }) => void vscode.window.showErrorMessage(`lexls: the PDF could not be shown: ${failed}`),
    });
  }

  async show({ uri, title, passage, page, pages }: PdfPassage, place = ""): Promise<void> {
    const file = vscode.Uri.parse(uri, true);
    const known = this.#shown?.file === uri ? this.#shown.bytes : undefined;
    const bytes = known ?? new Uint8Array(await vscode.workspace.fs.readFile(file));
    const told = { file: uri, place, title, passage, page, pages };
    this.#shown = { ...told, bytes };
    this.#view.tell(known === undefined ? this.#shown : told);
  }

  dispose(): void {
    this.#view.dispose();
  }
}
