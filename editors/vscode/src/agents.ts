/** The tools for language models: as a server of the Model Context Protocol, and as tools of VS Code's own models. */
import { delimiter, resolve } from "node:path";
import * as vscode from "vscode";
import { explicitSettings } from "./configuration";
import type { Program } from "./locate";
import { McpClient, type ToolAnswer } from "./mcp";
import type { Session } from "./session";

/** The id of the provider in the manifest. */
const PROVIDER = "lexls.mcp";
/** How the names of tools begin in VS Code, where those of all extensions are together. */
const PREFIX = "lexls_";
/** Where it is kept that models may use the server in a workspace. */
const ALLOWED = "agents.allowed";
const WARNING = "Passages of your library, and of your drafts, go to the model. A hosted model takes them off this machine.";

interface DeclaredTool {
  readonly name: string;
  readonly displayName: string;
}

/** What VS Code has from 1.101 on, and the types that lexls is built with have not. */
interface McpApi {
  readonly lm: {
    registerMcpServerDefinitionProvider?(
      id: string,
      provider: {
        readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
        provideMcpServerDefinitions(): Promise<object[]>;
        resolveMcpServerDefinition(server: object): Promise<object | undefined>;
      },
    ): vscode.Disposable;
  };
  readonly McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => object;
}

/** Offers the tools while lexls runs. Each workspace folder has a server of its own, which starts when it is asked. */
export class Agents implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #clients = new Map<string, { readonly program: string; readonly client: McpClient }>();
  readonly #registered: vscode.Disposable[] = [];

  constructor(
    private readonly session: Session,
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const { contributes } = context.extension.packageJSON as { contributes: { languageModelTools: readonly DeclaredTool[] } };
    for (const { name, displayName } of contributes.languageModelTools) {
      const tool: vscode.LanguageModelTool<object> = {
        prepareInvocation: () => ({
          invocationMessage: `lexls: ${displayName}`,
          confirmationMessages: { title: `lexls: ${displayName}`, message: WARNING },
        }),
        invoke: (options, token) => this.#invoke(name.slice(PREFIX.length), options.input, token),
      };
      this.#registered.push(vscode.lm.registerTool(name, tool));
    }
    const api = vscode as unknown as McpApi;
    const Definition = api.McpStdioServerDefinition;
    if (api.lm.registerMcpServerDefinitionProvider !== undefined && Definition !== undefined) {
      const provideMcpServerDefinitions = async (): Promise<object[]> => {
        await this.session.client().catch(() => undefined);
        const found = this.session.found;
        const folders = found === undefined ? [] : (vscode.workspace.workspaceFolders ?? []);
        return folders.map(folder => {
          const { command, args } = mcpProgram(found as Program, folder.uri.fsPath);
          const label = folders.length === 1 ? "lexls" : `lexls: ${folder.name}`;
          return new Definition(label, command, [...args], {}, this.session.found?.version ?? "");
        });
      };
      const provider = {
        onDidChangeMcpServerDefinitions: this.#changed.event,
        provideMcpServerDefinitions,
        // Called when it is to be started.
        resolveMcpServerDefinition: async (server: object) => ((await this.#mayStart()) ? server : undefined),
      };
      this.#registered.push(api.lm.registerMcpServerDefinitionProvider(PROVIDER, provider));
    }
    let offered = "";
    this.#registered.push(
      this.session.onDidSettle(() => {
        const now = JSON.stringify(this.session.found ?? {});
        if (now !== offered) {
          offered = now;
          this.#changed.fire();
        }
      }),
      vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration("lexls") && this.#changed.fire()),
    );
  }

  dispose(): void {
    for (const { client } of this.#clients.values()) {
      client.dispose();
    }
    vscode.Disposable.from(this.#changed, ...this.#registered).dispose();
  }

  /** Whether models may start the server in this workspace, which is asked once: VS Code trusts what only reads. */
  async #mayStart(): Promise<boolean> {
    if (this.context.workspaceState.get<boolean>(ALLOWED) === true) {
      return true;
    }
    const allow = { label: "$(check) Allow in This Workspace", detail: WARNING };
    const title = "A language model wants to use lexls";
    const chosen = await vscode.window.showQuickPick([allow, { label: "$(x) Not Now" }], { title, ignoreFocusOut: true });
    await this.context.workspaceState.update(ALLOWED, chosen === allow);
    return chosen === allow;
  }

  async #invoke(tool: string, input: object, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    await this.session.client();
    const found = this.session.found;
    const { activeTextEditor } = vscode.window;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const folder = (activeTextEditor && vscode.workspace.getWorkspaceFolder(activeTextEditor.document.uri)) ?? folders[0];
    if (found === undefined || folder === undefined) {
      throw new Error("lexls answers when a folder is open: that of the drafts and the library.");
    }
    const answer = await this.#client(found, folder.uri.fsPath).call(tool, input, token);
    return new vscode.LanguageModelToolResult(texts(answer).map(text => new vscode.LanguageModelTextPart(text)));
  }

  /** The running server of a folder; another where the settings or the program have changed. */
  #client(found: Program, folder: string): McpClient {
    const { command, args } = mcpProgram(found, folder);
    const program = [command, ...args].join(delimiter);
    const known = this.#clients.get(folder);
    if (known?.program === program) {
      return known.client;
    }
    known?.client.dispose();
    const client = new McpClient({ command, args }, folder, line => this.log.info(line));
    this.#clients.set(folder, { program, client });
    return client;
  }
}

/** The program that serves a folder, told what the settings of VS Code say of its library. */
function mcpProgram(found: Program, folder: string): Program {
  const settings = explicitSettings(["library.folders", "jurisdiction"], vscode.Uri.file(folder)) as {
    readonly library?: { readonly folders?: readonly string[] };
    readonly jurisdiction?: string;
  };
  const libraries = (settings.library?.folders ?? []).flatMap(each => ["--library", each.startsWith("~") ? each : resolve(folder, each)]);
  const jurisdiction = settings.jurisdiction ? ["--jurisdiction", settings.jurisdiction] : [];
  return { command: found.command, args: [...found.args, "mcp", "--workspace", folder, ...libraries, ...jurisdiction] };
}

/** The words of an answer; an Error with them where lexls refuses. */
function texts(answer: ToolAnswer): string[] {
  const found = answer.content.flatMap(each => (each.type === "text" && each.text !== undefined ? [each.text] : []));
  if (answer.isError) {
    throw new Error(found.join("\n"));
  }
  return found;
}
