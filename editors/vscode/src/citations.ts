/** The commands that change a draft's citations: a style for all of them, and the table of authorities. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import type { Commands } from "./protocol";

type Convert = Commands["lexls.convertCitations"]["argument"];
type Table = Commands["lexls.tableOfAuthorities"]["argument"];

const STYLES: readonly (vscode.QuickPickItem & { readonly style: string })[] = [
  { label: "OSCOLA", style: "oscola", description: "United Kingdom" },
  { label: "Bluebook", style: "bluebook", description: "United States" },
  { label: "AGLC4", style: "aglc4", description: "Australia" },
  { label: "McGill", style: "mcgill", description: "Canada" },
  { label: "SILC", style: "silc", description: "India" },
];

/** Converts the draft in the active editor, to a style that is asked for unless `argument` names one. */
export async function convertCitations(client: LexlsClient, argument?: Convert): Promise<void> {
  const uri = argument?.uri ?? activeUri(client);
  if (uri === undefined) {
    void vscode.window.showInformationMessage("lexls: open the draft whose citations are to be converted.");
    return;
  }
  const style = argument?.style ?? (await vscode.window.showQuickPick(STYLES, { title: "Citation style" }))?.style;
  if (style === undefined) {
    return;
  }
  const answer = await client.execute("lexls.convertCitations", { ...argument, uri, style });
  if (answer === null) {
    void vscode.window.showWarningMessage("lexls: the library is not open yet.");
  } else {
    const left = answer.citations - answer.converted;
    void vscode.window.showInformationMessage(
      `lexls: ${answer.converted} citations were rewritten, ${left} stay as they are.`,
    );
  }
}

/** Inserts the table of authorities at the cursor of the active editor, or brings the one there is up to date. */
export async function tableOfAuthorities(client: LexlsClient, argument?: Table): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const place =
    argument ??
    (editor && {
      uri: client.code2ProtocolConverter.asUri(editor.document.uri),
      position: client.code2ProtocolConverter.asPosition(editor.selection.active),
    });
  if (place === undefined) {
    void vscode.window.showInformationMessage("lexls: open a draft and put the cursor where the table goes.");
    return;
  }
  const answer = await client.execute("lexls.tableOfAuthorities", place);
  if (answer === null) {
    void vscode.window.showWarningMessage("lexls: the library is not open yet.");
  } else if (!answer.applied && !answer.reason) {
    void vscode.window.showInformationMessage("lexls: the table of authorities is up to date.");
  }
}

function activeUri(client: LexlsClient): string | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && client.code2ProtocolConverter.asUri(editor.document.uri);
}
