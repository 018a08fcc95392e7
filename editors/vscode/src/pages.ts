/** Read-only pages that lexls shows beside a draft: an answer as it grows, an explanation, the server's status. */
import * as vscode from "vscode";
import type { FromPage, ToPage } from "./messages/page";
import { openPanel, restorePanels, View } from "./panel";
import { commandLink, INSERT, linkSources, OPEN_SOURCE } from "./sources";

const SCHEME = "lexls";
/** The type of the panels. */
const PANEL = "lexls.page";
/** VS Code's own Markdown, which no extension but the built-in one makes. */
const RENDER = "markdown.api.render";
/** The commands that a link on a page may run. */
const LINKED = [OPEN_SOURCE, INSERT, "lexls.askLibrary", "lexls.showThreads", "lexls.addModel"];

/** A page's Markdown, and what may be done next: commands that are linked below it. */
export interface Content {
  readonly markdown: string;
  readonly next?: readonly vscode.Command[] | undefined;
}

/** Every page is a document of its own (`lexls:/Title.md`), shown rendered in a panel. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #contents = new Map<string, Content>();
  readonly #panels = new Map<string, Page>();
  /** For what each page grows. */
  readonly #growing = new Map<string, unknown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    restorePanels<ToPage>(PANEL, (panel, kept) => this.#restore(panel, kept)),
  );
  readonly onDidChange = this.#changed.event;

  constructor(private readonly extension: vscode.Uri) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#contents.get(uri.path)?.markdown ?? "";
  }

  /** Shows a page beside the draft, in place of what it said before; the draft keeps the focus. */
  async show(name: string, content: Content, title = name): Promise<void> {
    const uri = this.#put(name, content);
    if (!(await vscode.commands.getCommands(true)).includes(RENDER)) {
      const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
      return;
    }
    let panel = this.#panels.get(name);
    if (panel === undefined) {
      // Where other pages are: beside the draft.
      const [other] = this.#panels.values();
      const where = { viewColumn: other?.column ?? vscode.ViewColumn.Beside, preserveFocus: true };
      panel = this.#adopt(openPanel(PANEL, title, where), name);
    }
    panel.reveal();
    // What it says by now, which may be more.
    await panel.set(this.#contents.get(uri.path) ?? content, title);
  }

  /** Says something else on a page, if it is still open, without bringing it to the front. */
  async update(name: string, content: Content, title = name): Promise<void> {
    this.#put(name, content);
    await this.#panels.get(name)?.set(content, title);
  }

  /**
   * Shows a page that grows: in front when it begins; whoever then goes elsewhere is left there. Once the page grows
   * for something else, what comes late for this is dropped: the answer says whether it was shown.
   */
  growing(name: string): (content: Content, title?: string) => Promise<boolean> {
    let begun = false;
    const grow = async (content: Content, title?: string): Promise<boolean> => {
      if (this.#growing.get(name) !== grow) {
        return false;
      }
      const showed = begun;
      begun = true;
      await (showed ? this.update(name, content, title) : this.show(name, content, title));
      return true;
    };
    this.#growing.set(name, grow);
    return grow;
  }

  isOpen(name: string): boolean {
    return this.#panels.has(name);
  }

  #adopt(panel: vscode.WebviewPanel, name: string, kept?: ToPage): Page {
    const page = new Page(panel, this.extension, name, () => this.#panels.delete(name), kept);
    this.#panels.set(name, page);
    return page;
  }

  /** Fills a panel that comes back with the window, unless its page was shown anew in the meantime. */
  #restore(panel: vscode.WebviewPanel, kept: ToPage | undefined): void {
    if (kept === undefined || this.#panels.has(kept.name)) {
      panel.dispose();
      return;
    }
    panel.title = kept.title;
    this.#adopt(panel, kept.name, kept);
  }

  #put(name: string, content: Content): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
    this.#contents.set(uri.path, content);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
    for (const panel of this.#panels.values()) {
      panel.dispose();
    }
  }
}

/** A page in the window. */
class Page {
  readonly #view: View<ToPage, FromPage>;
  #closed = false;
  #wanted: Content = { markdown: "" };
  #shown: ToPage | undefined;
  #rendering: Promise<void> | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly name: string,
    closed: () => void,
    kept?: ToPage,
  ) {
    this.#shown = kept;
    this.#view = new View(panel.webview, extension, {
      script: "page",
      label: name,
      told: () => (this.#shown === undefined ? [] : [this.#shown]),
      heard: () => undefined,
      commands: LINKED,
    });
    panel.onDidDispose(() => {
      this.#closed = true;
      this.#view.dispose();
      closed();
    });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  /** Shows a content; of several that come while one is rendered only the last is. */
  set(content: Content, title: string): Promise<void> {
    if (!this.#closed) {
      this.panel.title = title;
    }
    this.#wanted = content;
    this.#rendering ??= this.#render().finally(() => (this.#rendering = undefined));
    return this.#rendering;
  }

  async #render(): Promise<void> {
    for (let rendered: Content | undefined; rendered !== this.#wanted; ) {
      rendered = this.#wanted;
      const html = await vscode.commands.executeCommand<string>(RENDER, withCommands(rendered));
      if (this.#closed) {
        return;
      }
      this.#shown = { html, name: this.name, title: this.panel.title };
      this.#view.tell(this.#shown);
    }
  }

  dispose(): void {
    this.panel.dispose();
  }
}

/** The Markdown whose links run commands, with those of what may be done next. */
function withCommands({ markdown, next = [] }: Content): string {
  const links = linkSources(markdown, { onPage: true });
  const given = (command: vscode.Command) => (command.arguments as unknown[] | undefined) ?? [];
  const actions = next.map(each => `[${each.title}](${commandLink(each.command, ...given(each))})`).join(" · ");
  return actions === "" ? links : `${links}\n\n---\n\n${actions}`;
}

/** Plain data as a Markdown list, names in bold: what the server tells of itself, whatever it tells. */
export function asMarkdown(data: object, indent = ""): string {
  return Object.entries(data)
    .map(([name, value]: [string, unknown]) => {
      // Things in a list are counted; plain values stand alone. An item that began empty would make a heading
      // of the line above it.
      const label = !Array.isArray(data) ? `**${words(name)}**: ` : isFilled(value) ? `**${Number(name) + 1}**: ` : "";
      return `${indent}- ${label}${isFilled(value) ? `\n${asMarkdown(value, `${indent}  `)}` : plain(value)}`;
    })
    .join("\n");
}

function isFilled(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function plain(value: unknown): string {
  return typeof value === "object" || value === undefined ? "none" : escape(String(value));
}

function words(name: string): string {
  return escape(name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}

/** Text as Markdown that says just that. */
export function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
}
