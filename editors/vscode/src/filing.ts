/** "Check Before Filing": the report on a draft as a page that is ticked, initialled and exported. */
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { findBrowser, printPage } from "./browser";
import type { LexlsClient } from "./client";
import { isDraft } from "./drafts";
import type { Evidence } from "./evidence";
import type { FromReport, Signature, ToReport } from "./messages/report";
import { openPanel, restorePanels, View } from "./panel";
import { parseAddress } from "./sources";

const PANEL = "lexls.filing";
/** Under which the workspace keeps what was signed in a draft, and the user the initials last signed with. */
const SIGNED = "lexls.signed:";
/** Under which the workspace keeps the addresses of the opponents' briefs that a draft is compared with. */
const AGAINST = "lexls.against:";
const INITIALS = "lexls.initials";

type Signed = Readonly<Record<string, Signature>>;

export class Filing implements vscode.Disposable {
  readonly #pages = new Map<string, FilingPage>();
  readonly #registered: vscode.Disposable;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly client: () => Promise<LexlsClient>,
    private readonly evidence: Evidence,
  ) {
    this.#registered = restorePanels<string>(PANEL, async (panel, draft) => {
      if (draft === undefined || this.#pages.has(draft)) {
        panel.dispose();
        return;
      }
      await this.#adopt(panel, draft).refresh();
    });
  }

  /** Opens the page of the draft in the active editor, beside it. */
  async open(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isDraft(editor.document)) {
      void vscode.window.showInformationMessage("lexls: open the draft that is to be checked.");
      return;
    }
    const draft = editor.document.uri.toString();
    let page = this.#pages.get(draft);
    if (page === undefined) {
      page = this.#adopt(openPanel(PANEL, "Check Before Filing", { viewColumn: vscode.ViewColumn.Beside }), draft);
    }
    page.panel.reveal();
    await page.refresh();
  }

  #adopt(panel: vscode.WebviewPanel, draft: string): FilingPage {
    const page = new FilingPage(panel, vscode.Uri.parse(draft), this.context, this.client, this.evidence);
    this.#pages.set(draft, page);
    panel.onDidDispose(() => this.#pages.delete(draft));
    return page;
  }

  dispose(): void {
    this.#registered.dispose();
    for (const page of this.#pages.values()) {
      page.panel.dispose();
    }
  }
}

/** The page of one draft. */
class FilingPage {
  readonly #view: View<ToReport, FromReport>;
  #page = "";
  #busy = false;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private readonly draft: vscode.Uri,
    private readonly context: vscode.ExtensionContext,
    private readonly client: () => Promise<LexlsClient>,
    private readonly evidence: Evidence,
  ) {
    panel.title = `Check: ${this.#name}`;
    this.#view = new View(panel.webview, context.extensionUri, {
      script: "report",
      label: "Check before filing",
      told: () => [this.#told()],
      heard: message => void this.#hear(message),
    });
    panel.onDidDispose(() => this.#view.dispose());
  }

  /** Has the draft, as it is now, checked anew. */
  async refresh(): Promise<void> {
    this.#busy = true;
    this.#view.tell(this.#told());
    try {
      this.#page = (await this.#report()).page;
    } catch (error) {
      void vscode.window.showErrorMessage(`lexls: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#busy = false;
    this.#view.tell(this.#told());
  }

  get #name(): string {
    return basename(this.draft.path);
  }

  get #signed(): Signed {
    return this.context.workspaceState.get<Signed>(SIGNED + this.draft.toString(), {});
  }

  get #against(): readonly string[] {
    return this.context.workspaceState.get<readonly string[]>(AGAINST + this.draft.toString(), []);
  }

  #told(): ToReport {
    return {
      draft: this.draft.toString(),
      name: this.#name,
      page: this.#page,
      busy: this.#busy,
      against: this.#against.map(each => basename(vscode.Uri.parse(each).path)),
      signed: this.#signed,
      initials: this.context.globalState.get(INITIALS, ""),
    };
  }

  async #report(folder?: string): Promise<{ readonly page: string }> {
    const client = await this.client();
    // The server reads what is open; a page that came back with the window may have a draft that is not.
    await vscode.workspace.openTextDocument(this.draft);
    const uri = client.code2ProtocolConverter.asUri(this.draft);
    const against = this.#against.map(each => client.code2ProtocolConverter.asUri(vscode.Uri.parse(each)));
    const argument = { uri, against, signed: this.#signed, ...(folder !== undefined && { folder }) };
    const report = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "lexls: reviewing the brief", cancellable: true },
      (_, token) => client.execute("lexls.report", argument, token),
    );
    if (report === null) {
      throw new Error("the library is not open yet.");
    }
    return report;
  }

  async #hear(message: FromReport): Promise<void> {
    switch (message.do) {
      case "sign":
        return this.#sign(message.finding, message.signature);
      case "open":
        return this.evidence.show(parseAddress(message.address));
      case "draft":
        return this.#goTo(message.offset);
      case "refresh":
        return this.refresh();
      case "against":
        return this.#choose();
      case "book":
        return this.#makeBook();
      case "log":
        return this.#exportLog();
      default:
        return this.#export(message.do);
    }
  }

  async #sign(finding: string, signature: Signature | null): Promise<void> {
    const { [finding]: _, ...others } = this.#signed;
    const signed = signature === null ? others : { ...others, [finding]: signature };
    await this.context.workspaceState.update(SIGNED + this.draft.toString(), signed);
    if (signature !== null) {
      await this.context.globalState.update(INITIALS, signature.initials);
    }
  }

  /** Has opponents' briefs chosen that the draft is compared with; choosing none takes those away that were. */
  async #choose(): Promise<void> {
    const chosen = await vscode.window.showOpenDialog({
      title: "Compare with an Opponent's Brief",
      openLabel: "Compare",
      canSelectMany: true,
      defaultUri: vscode.Uri.joinPath(this.draft, ".."),
    });
    if (chosen === undefined && this.#against.length === 0) {
      return;
    }
    const addresses = (chosen ?? []).map(each => each.toString());
    await this.context.workspaceState.update(AGAINST + this.draft.toString(), addresses);
    await this.refresh();
  }

  async #goTo(offset: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.draft);
    // The server counts code points.
    const units = [...document.getText()].slice(0, offset).join("").length;
    const at = document.positionAt(units);
    const shown = vscode.window.visibleTextEditors.find(each => each.document === document);
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(at, at) });
  }

  /** Writes the page, with what was signed, where the user wants it. */
  async #export(format: "html" | "pdf"): Promise<void> {
    const browser = format === "pdf" ? findBrowser() : undefined;
    const suffix = browser === undefined ? "html" : format;
    const stem = this.#name.replace(/\.[^.]*$/, "");
    const chosen = await vscode.window.showSaveDialog({
      title: "Check Before Filing",
      defaultUri: vscode.Uri.joinPath(this.draft, "..", `${stem} checked.${suffix}`),
      filters: suffix === "pdf" ? { PDF: ["pdf"] } : { HTML: ["html"] },
    });
    if (chosen === undefined) {
      return;
    }
    try {
      const { page } = await this.#report(dirname(chosen.fsPath));
      const file = browser === undefined ? chosen : chosen.with({ path: `${chosen.path}.html` });
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(page));
      if (browser !== undefined) {
        await printPage(browser, file.fsPath, chosen.fsPath).finally(() => vscode.workspace.fs.delete(file));
      }
      await this.#tellExported(chosen, format === "pdf" && browser === undefined);
    } catch (error) {
      void vscode.window.showErrorMessage(`lexls: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Writes the log of who checked what, with what was signed, where the user wants it. */
  async #exportLog(): Promise<void> {
    const chosen = await vscode.window.showSaveDialog({
      title: "Export the Log of Who Checked What",
      defaultUri: vscode.Uri.joinPath(this.draft, "..", `${this.#name.replace(/\.[^.]*$/, "")} log.pdf`),
      filters: { PDF: ["pdf"], JSON: ["json"] },
    });
    if (chosen === undefined) {
      return;
    }
    try {
      const client = await this.client();
      if ((await vscode.workspace.openTextDocument(this.draft)).isDirty) {
        throw new Error("save the draft first: the log has the hash of its file.");
      }
      const uri = client.code2ProtocolConverter.asUri(this.draft);
      const format = chosen.path.toLowerCase().endsWith(".json") ? "json" : "pdf";
      const folder = dirname(chosen.fsPath);
      const log = await client.execute("lexls.filingLog", { uri, signed: this.#signed, folder, format });
      if (log === null) {
        throw new Error("the library is not open yet.");
      }
      await vscode.workspace.fs.writeFile(chosen, Buffer.from(log.content, "base64"));
      await this.#offerToOpen(chosen, `lexls: the log is in ${basename(chosen.path)}.`);
    } catch (error) {
      void vscode.window.showErrorMessage(`lexls: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Writes the draft with its authorities as one PDF where the user wants it. */
  async #makeBook(): Promise<void> {
    const stem = this.#name.replace(/\.[^.]*$/, "");
    const chosen = await vscode.window.showSaveDialog({
      title: "Book of Authorities",
      defaultUri: vscode.Uri.joinPath(this.draft, "..", `${stem}-book.pdf`),
      filters: { PDF: ["pdf"] },
    });
    if (chosen === undefined) {
      return;
    }
    try {
      const client = await this.client();
      await vscode.workspace.openTextDocument(this.draft);
      const uri = client.code2ProtocolConverter.asUri(this.draft);
      const made = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: "lexls: making the book", cancellable: true },
        (_, token) => client.execute("lexls.book", { uri }, token),
      );
      if (made === null) {
        throw new Error("the library is not open yet.");
      }
      await vscode.workspace.fs.writeFile(chosen, Buffer.from(made.book, "base64"));
      const missing = made.missing.length === 0 ? "" : ` Not in the library: ${made.missing.join("; ")}.`;
      await this.#offerToOpen(chosen, `lexls: the book is in ${basename(chosen.path)}.${missing}`);
    } catch (error) {
      void vscode.window.showErrorMessage(`lexls: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #tellExported(file: vscode.Uri, byHand: boolean): Promise<void> {
    const name = basename(file.path);
    const said = byHand
      ? `lexls: no browser that can make a PDF was found (Chrome, Chromium or Edge). The page is in ${name}: open it and print it as a PDF.`
      : `lexls: the page is in ${name}.`;
    await this.#offerToOpen(file, said);
  }

  async #offerToOpen(file: vscode.Uri, said: string): Promise<void> {
    const open = "Open";
    if ((await vscode.window.showInformationMessage(said, open)) === open) {
      await vscode.env.openExternal(file);
    }
  }
}
