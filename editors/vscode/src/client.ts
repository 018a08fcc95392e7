/** The language client: how lexls is started, what it is told of the settings, which documents it sees. */
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import {
  DidChangeConfigurationNotification,
  LanguageClient,
  RevealOutputChannelOn,
  TransportKind,
  type ClientCapabilities,
  type ConfigurationParams,
  type ConfigurationRequest,
  type DynamicFeature,
  type ExecuteCommandParams,
  type FeatureState,
  type LanguageClientOptions,
  type Middleware,
  type ResponseError,
  type StaticFeature,
} from "vscode-languageclient/node";
import { atSection, explicitSettings, isOurs } from "./configuration";
import { DRAFTS } from "./drafts";
import type { Program } from "./locate";
import type { Commands } from "./protocol";
import { leadToSources } from "./sources";
import { OwnTokens } from "./tokens";
import { messageTrace } from "./trace";

/**
 * Its id differs from the section of the settings, so that the client itself reads no `trace.server: verbose` there:
 * such a trace would write drafts into the log. What it may trace is in trace.ts.
 */
const ID = "lexlsServer";
/** How the server's tokens of the library's progress begin. */
const LIBRARY_PROGRESS = "lexls-library-";

// What others need of the library, which is in this file's bundle alone: it is most of the extension's code, and
// activation does not wait for it.
export { State, WorkDoneProgress } from "vscode-languageclient/node";

export class LexlsClient extends LanguageClient {
  constructor(
    program: Program,
    cwd: string,
    log: vscode.LogOutputChannel,
    keys: readonly string[],
    manifest: unknown,
    led: (places: readonly vscode.LocationLink[]) => void,
  ) {
    const executable = {
      command: program.command,
      args: [...program.args, "serve"],
      transport: TransportKind.stdio,
      options: { cwd },
    };
    const workspace: NonNullable<Middleware["workspace"]> = {
      configuration: (params, token, next) => answerConfiguration(params, token, next, keys),
    };
    super(ID, "lexls", executable, options(log, keys, { ...leadToSources(led), workspace }));
    // Behind the client's own features, whose capabilities it adds to.
    this.registerFeature(new OwnTokens(manifest));
    this.registerFeature(new OwnCapabilities());
    workspace.didChangeConfiguration = () =>
      this.sendNotification(DidChangeConfigurationNotification.type, {
        settings: { lexls: explicitSettings(keys) },
      });
  }

  /**
   * Leaves out the feature that would register each command of the server under its own name: the extension
   * registers those itself, with the part that a person sees.
   */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ("registrationType" in feature && feature.registrationType.method === "workspace/executeCommand") {
      return;
    }
    super.registerFeature(feature);
  }

  /** Has the server execute one of its commands, with its progress under `workDoneToken` if that is given. */
  execute<C extends keyof Commands>(
    command: C,
    argument: Commands[C]["argument"],
    token?: vscode.CancellationToken,
    workDoneToken?: string,
  ): Promise<Commands[C]["answer"]> {
    const params: ExecuteCommandParams = { command, arguments: argument === undefined ? [] : [argument] };
    if (workDoneToken !== undefined) {
      params.workDoneToken = workDoneToken;
    }
    const method = "workspace/executeCommand";
    // A token that is undefined would be sent as a second parameter.
    return token === undefined ? this.sendRequest(method, params) : this.sendRequest(method, params, token);
  }
}

function options(
  log: vscode.LogOutputChannel,
  keys: readonly string[],
  middleware: Middleware,
): LanguageClientOptions {
  const forward = (input: NodeJS.ReadableStream) => {
    createInterface({ input }).on("line", line => log.info(line));
  };
  return {
    documentSelector: DRAFTS,
    diagnosticCollectionName: "lexls",
    outputChannel: log,
    traceOutputChannel: messageTrace(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    stdioOptions: { stdout: forward, stderr: forward },
    initializationOptions: () => explicitSettings(keys),
    middleware: {
      ...middleware,
      // Our own item in the status bar tells how far the library is.
      handleWorkDoneProgress: (token, params, next) => {
        if (!String(token).startsWith(LIBRARY_PROGRESS)) {
          next(token, params);
        }
      },
    },
  };
}

/** Answers what the server asks of `lexls` with the settings somebody set; other sections as usual. */
async function answerConfiguration(
  params: ConfigurationParams,
  token: vscode.CancellationToken,
  next: ConfigurationRequest.HandlerSignature,
  keys: readonly string[],
): Promise<unknown[] | ResponseError> {
  const answers = await next(params, token);
  if (!Array.isArray(answers)) {
    return answers;
  }
  return params.items.map((item, index) => {
    if (!isOurs(item.section)) {
      return answers[index] as unknown;
    }
    const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
    return atSection(explicitSettings(keys, scope), item.section);
  });
}

/** Tells the server what this client does beyond the protocol (docs/editors.md). */
class OwnCapabilities implements StaticFeature {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as object;
    capabilities.experimental = { ...experimental, lexls: { status: true, answers: true, outlines: ["markdown"], transforms: true, suggest: "editor.action.triggerSuggest" } };
  }

  initialize(): void {}

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}
