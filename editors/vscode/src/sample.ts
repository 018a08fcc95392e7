/** The sample that the extension carries, in a folder of its own where it may be changed. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { isFolder } from "./locate";

const DRAFT = join("drafts", "skeleton-argument.md");
// Of this window alone: a library that the user chose for all windows is not that of the sample.
const SETTINGS = { "lexls.library.folders": ["library"] };

export class Sample {
  readonly #folder: string;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.#folder = join(context.globalStorageUri.fsPath, "sample");
  }

  /** Opens it, in a window of its own where something is open in this one. */
  async open(): Promise<void> {
    if (!isFolder(this.#folder)) {
      await mkdir(this.context.globalStorageUri.fsPath, { recursive: true });
      await cp(this.context.asAbsolutePath("sample"), this.#folder, { recursive: true });
      await mkdir(join(this.#folder, ".vscode"), { recursive: true });
      await writeFile(join(this.#folder, ".vscode", "settings.json"), JSON.stringify(SETTINGS));
    }
    const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(this.#folder), { forceNewWindow });
  }

  /** Shows its draft, if this is its window and nothing is open there. */
  async show(): Promise<void> {
    const isHere = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === this.#folder) ?? false;
    if (isHere && vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0)) {
      await vscode.window.showTextDocument(vscode.Uri.file(join(this.#folder, DRAFT)));
    }
  }
}
