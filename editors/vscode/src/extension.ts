/** lexls in VS Code: commands and the events that restart the server. */
import * as vscode from "vscode";
import { onInterpreterChange } from "./interpreter";
import { convertCitations, tableOfAuthorities } from "./citations";
import type { LexlsClient } from "./client";
import type { Found } from "./locate";
import { asMarkdown, Pages } from "./pages";
import type { Commands } from "./protocol";
import { Session } from "./session";
import { chooseSupport } from "./support";

/** What other extensions, and the tests, may ask. */
export interface Api {
  /** The server in use: where it was found, its version. */
  readonly server: () => Found | undefined;
}

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const log = vscode.window.createOutputChannel("lexls", { log: true });
  const pages = new Pages();
  const current = new Session(context, log);
  session = current;
  const on = <A>(command: string, run: (client: LexlsClient, argument?: A) => Promise<unknown>) =>
    vscode.commands.registerCommand(command, async (argument?: A) => run(await current.client(), argument));
  const support = (client: LexlsClient, argument?: Commands["lexls.findSupport"]["argument"]) =>
    chooseSupport(client, argument);
  const explain = (client: LexlsClient, argument?: Commands["lexls.explain"]["argument"]) =>
    showExplanation(client, pages, argument);
  context.subscriptions.push(
    log,
    pages,
    current,
    on("lexls.chooseSupport", support),
    on("lexls.findSupport", support),
    on("lexls.explainAtCursor", explain),
    on("lexls.explain", explain),
    on("lexls.convertCitations", convertCitations),
    on("lexls.tableOfAuthorities", tableOfAuthorities),
    on("lexls.reindex", client => client.execute("lexls.reindex", undefined)),
    on("lexls.status", client => client.execute("lexls.status", undefined)),
    on("lexls.showStatus", client => showStatus(client, pages, current.found)),
    vscode.commands.registerCommand("lexls.showLog", () => log.show()),
    vscode.commands.registerCommand("lexls.restartServer", () => current.restart()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => current.restart()),
    vscode.workspace.onDidChangeConfiguration(event =>
      event.affectsConfiguration("lexls.server") ? current.restart() : undefined,
    ),
  );
  void onInterpreterChange(() => {
    if (current.found === undefined || current.found.origin.includes("interpreter")) {
      void current.restart();
    }
  }).then(
    disposable => context.subscriptions.push(disposable),
    (error: unknown) => log.warn(`The Python extension: ${String(error)}`),
  );
  // Started, not awaited: activation must not wait for a process.
  current.restart().catch((error: unknown) => log.error(`The server did not start: ${String(error)}`));
  return { server: () => current.found };
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

async function showExplanation(
  client: LexlsClient,
  pages: Pages,
  argument?: Commands["lexls.explain"]["argument"],
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const place =
    argument ??
    (editor && {
      uri: client.code2ProtocolConverter.asUri(editor.document.uri),
      position: client.code2ProtocolConverter.asPosition(editor.selection.active),
    });
  if (place === undefined) {
    void vscode.window.showInformationMessage("lexls: open a draft and put the cursor on a citation.");
    return;
  }
  const explanation = await client.execute("lexls.explain", place);
  if (explanation === null) {
    void vscode.window.showInformationMessage("lexls: there is no citation at the cursor.");
    return;
  }
  await pages.show("Explanation", explanation.markdown);
}

async function showStatus(client: LexlsClient, pages: Pages, found: Found | undefined): Promise<void> {
  const status = (await client.execute("lexls.status", undefined)) ?? {};
  const program = found && `${[found.command, ...found.args].join(" ")} (from ${found.origin})`;
  await pages.show("Status", `# lexls ${found?.version ?? ""}\n\n${asMarkdown({ program, ...status })}\n`);
}
