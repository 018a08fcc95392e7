/** Read-only pages that lexls shows beside a draft: an explanation, the server's status. */
import * as vscode from "vscode";

const SCHEME = "lexls";
/** Locked: the usual preview would show the draft instead as soon as that is clicked. */
const PREVIEW = "markdown.showLockedPreviewToSide";

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  /** Shows Markdown under a title, rendered; as text where the built-in Markdown preview is disabled. */
  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md` });
    this.#texts.set(uri.path, withoutFileLinks(markdown));
    this.#changed.fire(uri);
    if ((await vscode.commands.getCommands(true)).includes(PREVIEW)) {
      await vscode.commands.executeCommand(PREVIEW, uri);
    } else {
      const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
    }
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}

/** The preview takes no link to a file and would show its address: the words of the link remain. */
function withoutFileLinks(markdown: string): string {
  return markdown.replace(/\[((?:\\.|[^\]\\])*)\]\(<file:[^>]*>\)/g, "$1");
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

function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
}
