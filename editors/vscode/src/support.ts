/** The picker of authorities that support what stands at the cursor. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import { sayWhere, selection, type Explaining } from "./explaining";
import type { Commands, Hit } from "./protocol";

type Argument = Commands["lexls.findSupport"]["argument"];

interface Item extends vscode.QuickPickItem {
  readonly hit: Hit;
}

const OPEN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("open-preview"),
  tooltip: "Open the passage beside the draft",
};

const EXPLAIN: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("comment-discussion"),
  tooltip: "Explain how it supports the sentence",
};

/** Offers the authorities for a place in a draft, by default the selection, and inserts the one chosen. */
export async function chooseSupport(client: LexlsClient, explaining: Explaining, argument?: Argument): Promise<void> {
  const place = argument ?? selection(client);
  if (place === undefined) {
    sayWhere();
    return;
  }
  const uri = client.protocol2CodeConverter.asUri(place.uri);
  const version = (await vscode.workspace.openTextDocument(uri)).version;
  const hit = await pick(client, explaining, place);
  if (hit === undefined) {
    return;
  }
  if ((await vscode.workspace.openTextDocument(uri)).version !== version) {
    void vscode.window.showWarningMessage("lexls: the draft changed in the meantime; nothing was inserted.");
    return;
  }
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(hit.edit);
  if (edit === undefined || !(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage("lexls: the citation could not be inserted.");
  }
}

/** Shows the picker at once and fills it when the answer comes; undefined when nothing was chosen. */
async function pick(client: LexlsClient, explaining: Explaining, place: Argument) {
  const cancellation = new vscode.CancellationTokenSource();
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = "Supporting authority";
  picker.placeholder = "Searching your library…";
  picker.busy = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  const chosen = new Promise<Hit | undefined>(resolve => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]?.hit);
      picker.hide();
    });
    picker.onDidHide(() => resolve(undefined));
    picker.onDidTriggerItemButton(async ({ item, button }) => {
      picker.ignoreFocusOut = true;
      if (button === EXPLAIN) {
        await explaining.explain(client, { ...place, authority: item.hit.authority });
      } else {
        await open(client, item.hit);
      }
    });
  });
  picker.show();
  void chosen.finally(() => {
    cancellation.cancel();
    picker.dispose();
  });
  try {
    const hits = (await client.execute("lexls.findSupport", place, cancellation.token)) ?? [];
    picker.items = hits.map(item);
    picker.placeholder =
      hits.length === 0
        ? "Nothing in your library fits this sentence."
        : "Choose an authority to insert its citation; type to filter.";
    picker.busy = false;
  } catch (error) {
    if (!cancellation.token.isCancellationRequested) {
      picker.hide();
      throw error;
    }
  }
  return chosen;
}

function item(hit: Hit): Item {
  const cited = hit.citation !== "" && !hit.title.includes(hit.citation) ? hit.citation : hit.court;
  return {
    hit,
    label: hit.title,
    description: [cited, pinpoint(hit), hit.warning ? `⚠ ${hit.warning}` : ""].filter(part => part !== "").join(" "),
    detail: passage(hit),
    buttons: [EXPLAIN, OPEN],
  };
}

/** How a pinpoint is written where it stands alone; a paragraph of a judgment stands in brackets. */
function pinpoint(hit: Hit): string {
  if (hit.paragraph === "") {
    return hit.page === "" ? "" : `p ${hit.page}`;
  }
  const before = { statute: "s", regulation: "reg", contract: "cl" }[hit.kind];
  return before === undefined ? `[${hit.paragraph}]` : `${before} ${hit.paragraph}`;
}

/** The passage as one line, without headings and the number that the pinpoint gives already. */
function passage(hit: Hit): string {
  const text = hit.text.replace(/^#+ .*$/gm, "").replace(/\s+/g, " ").trim();
  const number = [`[${hit.paragraph}]`, `${hit.paragraph}.`].find(each => hit.paragraph !== "" && text.startsWith(each));
  return number === undefined ? text : text.slice(number.length).trim();
}

/** Opens a passage beside the draft; what is not text is opened by whichever editor knows it. */
async function open(client: LexlsClient, hit: Hit): Promise<void> {
  const target = client.protocol2CodeConverter.asLocation(hit.target);
  const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
  try {
    await vscode.window.showTextDocument(target.uri, { ...options, selection: target.range });
  } catch {
    await vscode.commands.executeCommand("vscode.open", target.uri, options);
  }
}
