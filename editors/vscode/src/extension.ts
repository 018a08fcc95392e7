/** lexls in VS Code: commands and the events that restart the server. */
import * as vscode from "vscode";
import { Agents } from "./agents";
import { Asking } from "./asking";
import { Authorities } from "./authorities";
import { convertCitations, tableOfAuthorities } from "./citations";
import type { LexlsClient } from "./client";
import { Evidence } from "./evidence";
import { Explaining } from "./explaining";
import { Filing } from "./filing";
import { addFolders, chooseFolders, FolderDrop } from "./folders";
import { Graph } from "./graph";
import { onInterpreterChange } from "./interpreter";
import { LibraryTree } from "./library";
import type { Found } from "./locate";
import { Models } from "./models";
import { asMarkdown, Pages } from "./pages";
import { chooseMore } from "./more";
import type { Commands } from "./protocol";
import { Sample } from "./sample";
import { Session } from "./session";
import { Support } from "./support";

/** What other extensions, and the tests, may ask. */
export interface Api {
  /** The server in use: where it was found, its version. */
  readonly server: () => Found | undefined;
}

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const log = vscode.window.createOutputChannel("lexls", { log: true });
  const pages = new Pages(context.extensionUri);
  const current = new Session(context, log);
  session = current;
  const evidence = new Evidence(context.extensionUri, () => current.client());
  const filing = new Filing(context, () => current.client(), evidence);
  const models = new Models(context.globalStorageUri.fsPath, log);
  const library = new LibraryTree(() => current.client(), new FolderDrop(current), () => current.hasNoLibrary);
  const sample = new Sample(context);
  const graph = new Graph(context.extensionUri, () => current.client(), evidence);
  const authorities = new Authorities(() => current.client(), evidence);
  const on = <A>(command: string, run: (client: LexlsClient, argument?: A) => Promise<unknown>) =>
    vscode.commands.registerCommand(command, async (argument?: A) => run(await current.client(), argument));
  // As the server has it, for whoever calls it with an argument.
  const pass = <C extends keyof Commands>(command: C) =>
    vscode.commands.registerCommand(command, async (argument: Commands[C]["argument"]) =>
      (await current.client()).execute(command, argument),
    );
  // A menu passes the file it was opened on, which is no argument of ours.
  const here = (command: string, run: (client: LexlsClient) => Promise<unknown>) =>
    on(command, client => run(client));
  const explaining = new Explaining(pages);
  const support = new Support(explaining, evidence);
  const asking = new Asking(pages);
  context.subscriptions.push(
    log,
    pages,
    current,
    asking,
    new Agents(current, context, log),
    evidence,
    filing,
    library,
    authorities,
    graph,
    on("lexls.showGraph", graph.show),
    pass("lexls.graph"),
    current.onDidFindDefinition(evidence.expect),
    current.onDidSettle(() => {
      library.refresh();
      authorities.refresh();
    }),
    vscode.commands.registerCommand("lexls.copyTitle", copyTitle),
    pass("lexls.authorities"),
    support,
    here("lexls.chooseSupport", support.choose),
    on("lexls.findSupport", support.choose),
    pass("lexls.facets"),
    on("lexls.more", chooseMore),
    pass("lexls.ignore"),
    pass("lexls.describeFile"),
    vscode.commands.registerCommand("lexls.sayWhichCase", async (node?: { authority?: { uri: string } }) =>
      sayWhichCase(await current.client(), node?.authority?.uri),
    ),
    here("lexls.explainAtCursor", explaining.explain),
    on("lexls.explain", explaining.explain),
    here("lexls.showContrary", explaining.contrary),
    on("lexls.contrary", explaining.contrary),
    here("lexls.draftSentence", explaining.draft),
    on("lexls.draft", explaining.draft),
    here("lexls.checkBeforeFiling", () => filing.open()),
    on("lexls.askLibrary", asking.ask),
    vscode.commands.registerCommand("lexls.ask", async (argument: Commands["lexls.ask"]["argument"]) =>
      asking.answer(await current.client(), argument),
    ),
    on("lexls.insertSentence", asking.insert),
    here("lexls.showThreads", asking.threads),
    pass("lexls.report"),
    pass("lexls.filingLog"),
    pass("lexls.evidence"),
    pass("lexls.threads"),
    pass("lexls.thread"),
    pass("lexls.deleteThread"),
    pass("lexls.listLibrary"),
    on("lexls.convertCitations", convertCitations),
    on("lexls.tableOfAuthorities", tableOfAuthorities),
    here("lexls.reindex", client => client.execute("lexls.reindex", undefined)),
    here("lexls.status", client => client.execute("lexls.status", undefined)),
    on("lexls.showStatus", client => showStatus(client, pages, current.found)),
    vscode.commands.registerCommand("lexls.addModel", async () => {
      await current.client();
      if (current.found !== undefined && (await models.add(current.found))) {
        await current.restart();
      }
    }),
    vscode.commands.registerCommand("lexls.getModel", async () => {
      await current.ensure();
      if (current.found !== undefined && (await models.getForMeaning(current.found))) {
        await current.restart();
      }
    }),
    here("lexls.pauseIndexing", client => client.execute("lexls.pauseIndexing", undefined)),
    here("lexls.resumeIndexing", client => client.execute("lexls.resumeIndexing", undefined)),
    vscode.commands.registerCommand("lexls.install", () => current.install()),
    vscode.commands.registerCommand("lexls.chooseLibrary", () => chooseFolders(current)),
    vscode.commands.registerCommand("lexls.addToLibrary", (folder?: vscode.Uri, all?: vscode.Uri[]) =>
      folder === undefined ? chooseFolders(current) : addFolders(current, all ?? [folder]),
    ),
    vscode.commands.registerCommand("lexls.getStarted", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#lexls.start`, false),
    ),
    vscode.commands.registerCommand("lexls.openSample", () => sample.open()),
    vscode.commands.registerCommand("lexls.showMenu", () => current.menu()),
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
  void sample.show();
  return { server: () => current.found };
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

async function showStatus(client: LexlsClient, pages: Pages, found: Found | undefined): Promise<void> {
  const status = (await client.execute("lexls.status", undefined)) ?? {};
  const program = found && `${[found.command, ...found.args].join(" ")} (from ${found.origin})`;
  const markdown = `# lexls ${found?.version ?? ""}\n\n${asMarkdown({ program, ...status })}\n`;
  await pages.show("Status", { markdown });
}

/** Writes beside a file of the library what lexls guesses it to be, and opens that to be completed. */
async function sayWhichCase(client: LexlsClient, file: string | undefined): Promise<void> {
  const written = file === undefined ? undefined : await client.execute("lexls.describeFile", { file });
  if (written?.file) {
    await vscode.window.showTextDocument(vscode.Uri.parse(written.file));
  }
}

/** Copies how an authority in one of the trees is called. */
async function copyTitle(node?: { authority?: { title: string; cited?: string; citation?: string } }): Promise<void> {
  if (node?.authority !== undefined) {
    const { title, cited, citation } = node.authority;
    await vscode.env.clipboard.writeText([title, cited ?? citation ?? ""].filter(part => part !== "").join(", "));
  }
}
