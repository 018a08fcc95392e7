/** Read-only pages that lexls shows beside a draft: an explanation, the server's status. */
import * as vscode from "vscode";

const SCHEME = "lexls";

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
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    if ((await vscode.commands.getCommands(true)).includes("markdown.showPreviewToSide")) {
      await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
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

/** Plain data as a Markdown list, names in bold: what the server tells of itself, whatever it tells. */
export function asMarkdown(data: unknown, indent = ""): string {
  if (Array.isArray(data)) {
    return data.map(item => `${indent}- ${nested(item, indent)}`).join("\n") || `${indent}- none`;
  }
  if (typeof data === "object" && data !== null) {
    return Object.entries(data)
      .map(([name, value]) => `${indent}- **${words(name)}**: ${nested(value, indent)}`)
      .join("\n");
  }
  return escape(String(data));
}

function nested(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) {
    return escape(String(value ?? "none"));
  }
  return Object.keys(value).length === 0 ? "none" : `\n${asMarkdown(value, `${indent}  `)}`;
}

function words(name: string): string {
  return escape(name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());
}

function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>#|]/g, "\\$&");
}
