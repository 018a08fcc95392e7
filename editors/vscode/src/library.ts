/** The library as a tree in the activity bar: folders, what was read of each authority, and what could not be read. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import type { LibraryListing } from "./protocol";

type Node =
  | { readonly kind: "folder"; readonly folder: LibraryListing["folders"][number] }
  | { readonly kind: "authority"; readonly authority: LibraryListing["authorities"][number] }
  | { readonly kind: "unread"; readonly file: LibraryListing["unread"][number] }
  | { readonly kind: "beginning"; readonly beginning: Beginning };

/** What can be done where there is no library. Rows, as folders cannot be dropped on a view that has none. */
interface Beginning {
  readonly label: string;
  readonly icon: string;
  readonly command?: string;
}

const NO_LIBRARY =
  "No library yet: choose the folders that hold your authorities. lexls reads cases, statutes and contracts as PDF, Word, " +
  "text, HTML and more, and leaves them where they are.";
const BEGINNINGS: readonly Beginning[] = [
  { label: "Choose Folders…", icon: "folder-library", command: "lexls.chooseLibrary" },
  { label: "Or drop folders here", icon: "folder-opened" },
  { label: "Open the Sample", icon: "beaker", command: "lexls.openSample" },
];

export class LibraryTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;

  constructor(
    private readonly client: () => Promise<LexlsClient>,
    dragAndDropController: vscode.TreeDragAndDropController<Node>,
    private readonly hasNoLibrary: () => boolean,
  ) {
    this.#view = vscode.window.createTreeView("lexls.library", { treeDataProvider: this, dragAndDropController });
  }

  /** Lists again what is shown. */
  refresh(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node !== undefined && node.kind !== "folder") {
      return [];
    }
    if (node === undefined) {
      this.#view.message = this.hasNoLibrary() ? NO_LIBRARY : "";
      if (this.hasNoLibrary()) {
        return BEGINNINGS.map(beginning => ({ kind: "beginning", beginning }));
      }
    }
    // Without a server there is nothing to list; its status says why.
    const client = await this.client().catch(() => undefined);
    const listed = await client?.execute("lexls.listLibrary", { folder: node?.folder.path });
    return listed === undefined
      ? []
      : [
          ...listed.folders.map((folder): Node => ({ kind: "folder", folder })),
          ...listed.authorities.map((authority): Node => ({ kind: "authority", authority })),
          ...listed.unread.map((file): Node => ({ kind: "unread", file })),
        ];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "beginning": {
        const { label, icon, command } = node.beginning;
        const item = new vscode.TreeItem(label);
        item.iconPath = new vscode.ThemeIcon(icon);
        return command === undefined ? item : Object.assign(item, { command: { title: label, command } });
      }
      case "folder": {
        const { name, count, unread } = node.folder;
        const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
        item.id = node.folder.path;
        item.iconPath = vscode.ThemeIcon.Folder;
        item.description = unread === 0 ? String(count) : `${count} · ${unread} not read`;
        item.contextValue = "folder";
        return item;
      }
      case "authority": {
        const { uri, title, citation, kind, about, notes, unclear } = node.authority;
        const item = new vscode.TreeItem(title);
        item.id = String(node.authority.authority);
        item.contextValue = unclear ? "unclear" : "authority";
        item.iconPath = new vscode.ThemeIcon(unclear ? "question" : (ICONS[kind] ?? "file"));
        item.description = [citation === title ? "" : citation, ...notes].filter(each => each !== "").join(" · ");
        item.tooltip = new vscode.MarkdownString(about);
        item.command = { title: "Open", command: "vscode.open", arguments: [vscode.Uri.parse(uri)] };
        return item;
      }
      case "unread": {
        const file = vscode.Uri.file(node.file.path);
        const item = new vscode.TreeItem(path.basename(node.file.path));
        item.id = node.file.path;
        item.contextValue = "unread";
        item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
        item.description = node.file.reason;
        item.tooltip = `${node.file.path}: ${node.file.reason}`;
        item.command = { title: "Open", command: "vscode.open", arguments: [file] };
        return item;
      }
    }
  }
}

const ICONS: Readonly<Record<string, string>> = {
  case: "law",
  statute: "book",
  regulation: "book",
  treaty: "globe",
  contract: "note",
};
