/** Read-only pages that lexls shows beside a draft: an answer as it grows, an explanation, the server's status. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

const SCHEME = "lexls";
/** VS Code's own Markdown, which no extension but the built-in one makes. */
const RENDER = "markdown.api.render";
/** The command behind a link to a source. */
export const OPEN_SOURCE = "lexls.openSource";
/** The commands that a link on a page may run. */
const LINKED = [OPEN_SOURCE, "lexls.askLibrary", "lexls.showThreads", "lexls.addModel"];

/** A page's Markdown, and what may be done next: commands that are linked below it. */
export interface Content {
  readonly markdown: string;
  readonly next?: readonly vscode.Command[] | undefined;
}

/** Every page is a document of its own (`lexls:/Title.md`), shown rendered in a panel. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #contents = new Map<string, Content>();
  readonly #panels = new Map<string, Panel>();
  /** For what each page grows. */
  readonly #growing = new Map<string, unknown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.commands.registerCommand(OPEN_SOURCE, openSource),
  );
  readonly onDidChange = this.#changed.event;

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
      panel = new Panel(other?.column ?? vscode.ViewColumn.Beside, () => this.#panels.delete(name));
      this.#panels.set(name, panel);
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
class Panel {
  readonly #panel: vscode.WebviewPanel;
  #closed = false;
  #wanted: Content = { markdown: "" };
  #rendering: Promise<void> | undefined;

  constructor(viewColumn: vscode.ViewColumn, closed: () => void) {
    this.#panel = vscode.window.createWebviewPanel(
      "lexls.page",
      "lexls",
      { viewColumn, preserveFocus: true },
      // Kept while hidden: an answer grows there, too. Nothing but our script runs, and no file is served.
      { enableScripts: true, enableCommandUris: LINKED, localResourceRoots: [], retainContextWhenHidden: true },
    );
    this.#panel.webview.html = frame();
    this.#panel.onDidDispose(() => {
      this.#closed = true;
      closed();
    });
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Shows a content; of several that come while one is rendered only the last is. */
  set(content: Content, title: string): Promise<void> {
    if (!this.#closed) {
      this.#panel.title = title;
    }
    this.#wanted = content;
    this.#rendering ??= this.#render().finally(() => (this.#rendering = undefined));
    return this.#rendering;
  }

  async #render(): Promise<void> {
    for (let shown: Content | undefined; shown !== this.#wanted; ) {
      shown = this.#wanted;
      const html = await vscode.commands.executeCommand<string>(RENDER, withCommands(shown));
      if (this.#closed) {
        return;
      }
      await this.#panel.webview.postMessage(html);
    }
  }

  dispose(): void {
    this.#panel.dispose();
  }
}

/** Links to files as links that run our command: a panel opens no file by itself. */
function withCommands({ markdown, next = [] }: Content): string {
  const links = markdown.replace(/(?<=\]\()<(file:[^<>\n]*)>(?=\))/g, (_, address: string) =>
    link({ title: "", command: OPEN_SOURCE, arguments: [address] }),
  );
  const actions = next.map(command => `[${command.title}](${link(command)})`).join(" · ");
  return actions === "" ? links : `${links}\n\n---\n\n${actions}`;
}

function link(command: vscode.Command): string {
  const given = (command.arguments as unknown[] | undefined) ?? [];
  return `<command:${command.command}?${encodeURIComponent(JSON.stringify(given))}>`;
}

/** What receives the rendered text. It loads nothing, and its only script puts the text in its place. */
function frame(): string {
  const nonce = randomBytes(16).toString("hex");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';
  script-src 'nonce-${nonce}'; form-action 'none'; base-uri 'none'">
<style nonce="${nonce}">
  body { padding: 0.5em 1.5em 2em; line-height: 1.55; font-size: var(--vscode-markdown-font-size, 14px); }
  main { max-width: 46em; }
  h1, h2, h3 { font-weight: 600; line-height: 1.3; }
  h1 { font-size: 1.4em; }
  h2 { font-size: 1.2em; }
  blockquote { margin: 1em 0; padding: 0.1em 1em; border-left: 4px solid var(--vscode-textBlockQuote-border);
    background: var(--vscode-textBlockQuote-background); }
  a { color: var(--vscode-textLink-foreground); }
  hr { border: 0; border-top: 1px solid var(--vscode-widget-border, var(--vscode-textSeparator-foreground)); }
  pre { white-space: pre-wrap; }
</style>
</head>
<body>
<main></main>
<script nonce="${nonce}">
  const main = document.querySelector("main");
  const headings = () => [...main.querySelectorAll("h2")];
  addEventListener("message", ({ data }) => {
    const before = headings();
    main.innerHTML = data;
    const now = headings();
    // A question more comes into view; another page is read from its beginning.
    if (now[0]?.textContent !== before[0]?.textContent) scrollTo(0, 0);
    else if (now.length > before.length) now.at(-1).scrollIntoView();
  });
</script>
</body>
</html>`;
}

/** Opens a source at the line that its address names after "#L", beside the page. */
async function openSource(address: string): Promise<void> {
  const source = vscode.Uri.parse(address, true);
  if (source.scheme !== "file") {
    throw new Error(`lexls: ${source.scheme}: is no address of a source.`);
  }
  const uri = source.with({ fragment: "" });
  const line = Number(/^L(\d+)/.exec(source.fragment)?.[1] ?? 1) - 1;
  const options = { viewColumn: vscode.ViewColumn.One, preview: true };
  try {
    await vscode.window.showTextDocument(uri, { ...options, selection: new vscode.Range(line, 0, line, 0) });
  } catch {
    await vscode.commands.executeCommand("vscode.open", uri, options);
  }
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
