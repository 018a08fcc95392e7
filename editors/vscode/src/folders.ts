/** Folders of authorities become the library: chosen, or dropped on the view. */
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { isFile, isFolder } from "./locate";
import type { Session } from "./session";

const FILE = "lexls.toml";

/** Asks for folders and adds them; false if the user chose none. */
export async function chooseFolders(session: Session): Promise<boolean> {
  const home = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const chosen = await vscode.window.showOpenDialog({
    title: "Folders with your authorities: cases, statutes, contracts",
    openLabel: "Use as Library",
    canSelectFolders: true,
    canSelectFiles: false,
    canSelectMany: true,
    defaultUri: home,
  });
  return chosen !== undefined && addFolders(session, chosen);
}

/** Adds folders to the library and has lexls run, so that it reads them. */
export async function addFolders(session: Session, uris: readonly vscode.Uri[]): Promise<boolean> {
  const folders = uris.filter(uri => uri.scheme === "file" && isFolder(uri.fsPath)).map(uri => uri.fsPath);
  if (folders.length === 0) {
    void vscode.window.showInformationMessage("lexls reads folders of this machine: choose or drop those.");
    return false;
  }
  if (ownFolders() === undefined && hasFile()) {
    const client = await session.ensure();
    const { written, folders: whole } = await client.execute("lexls.addFolders", { folders });
    if (written === null) {
      await write(whole);
    }
  } else {
    await write([...new Set([...(ownFolders() ?? defaults()), ...folders.map(relative)])]);
    await session.ensure();
  }
  return true;
}

/** The folders that somebody set in VS Code; undefined where nobody did. */
function ownFolders(): string[] | undefined {
  const seen = vscode.workspace.getConfiguration("lexls").inspect<string[]>("library.folders");
  return seen?.workspaceFolderValue ?? seen?.workspaceValue ?? seen?.globalValue;
}

/** Those of the default folders that are there. */
function defaults(): string[] {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const named = vscode.workspace.getConfiguration("lexls").inspect<string[]>("library.folders")?.defaultValue ?? [];
  return root === undefined ? [] : named.filter(name => isFolder(path.join(root, name)));
}

/** Whether the workspace has a `lexls.toml`, in its folder or above it. */
function hasFile(): boolean {
  let folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  while (folder !== undefined) {
    if (isFile(path.join(folder, FILE))) {
      return true;
    }
    const above = path.dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return false;
}

/** A folder as it is written: from the workspace's own folder where it lies in that. */
function relative(folder: string): string {
  const [root, ...others] = vscode.workspace.workspaceFolders ?? [];
  const below = root === undefined || others.length > 0 ? ".." : path.relative(root.uri.fsPath, folder);
  return below === "" ? "." : below.startsWith("..") || path.isAbsolute(below) ? folder : below.replaceAll("\\", "/");
}

async function write(folders: readonly string[]): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
  await vscode.workspace.getConfiguration("lexls").update("library.folders", folders, target);
}

/** Lets folders be dropped on the view of the library, from the Explorer or the desktop. */
export class FolderDrop implements vscode.TreeDragAndDropController<unknown> {
  readonly dragMimeTypes: readonly string[] = [];
  readonly dropMimeTypes = ["text/uri-list", "files"];

  constructor(private readonly session: Session) {}

  async handleDrop(_: unknown, dropped: vscode.DataTransfer): Promise<void> {
    const uris = new Map<string, vscode.Uri>();
    const listed = (await dropped.get("text/uri-list")?.asString()) ?? "";
    for (const line of listed.split(/\r?\n/)) {
      if (line !== "" && !line.startsWith("#")) {
        uris.set(line, vscode.Uri.parse(line));
      }
    }
    for (const [, item] of dropped) {
      const uri = item.asFile()?.uri;
      if (uri !== undefined) {
        uris.set(uri.toString(), uri);
      }
    }
    // In a window on another machine, files of that machine have its scheme.
    await addFolders(this.session, [...uris.values()].map(uri => (uri.scheme === "vscode-remote" ? vscode.Uri.file(uri.path) : uri)));
  }
}
