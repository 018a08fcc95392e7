/** What the menu at the cursor has no room for, in a list to choose from. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import { sayWhere, selection } from "./explaining";
import type { Commands } from "./protocol";

/** Offers what else can be done at a place in a draft, by default the selection, and does what is chosen. */
export async function chooseMore(client: LexlsClient, argument?: Commands["lexls.more"]["argument"]): Promise<void> {
  const place = argument ?? selection(client);
  if (place === undefined) {
    sayWhere();
    return;
  }
  const asked = client.execute("lexls.more", { uri: place.uri, range: place.range });
  const items = asked.then(actions => (actions ?? []).map(action => ({ label: action.title, action })));
  const chosen = await vscode.window.showQuickPick(items, { title: "lexls", placeHolder: "What next?" });
  if (chosen === undefined) {
    return;
  }
  const { edit, command } = chosen.action;
  if (edit !== undefined) {
    const made = await client.protocol2CodeConverter.asWorkspaceEdit(edit);
    await vscode.workspace.applyEdit(made);
  }
  if (command !== undefined) {
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }
}
