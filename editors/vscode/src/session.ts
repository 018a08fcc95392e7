/** The server's life in this window: found, started, restarted, stopped. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import { serverKeys } from "./configuration";
import { ManagedEnvironment } from "./environment";
import { Installer } from "./installing";
import { selectedInterpreter } from "./interpreter";
import { locate, MANAGED, probeIn, type Found, type Located } from "./locate";
import { CHECKED, STATUS, type CheckedDraft, type ServerStatus } from "./protocol";
import { StatusItem } from "./status";

const SETTLED: ReadonlySet<ServerStatus["phase"]> = new Set(["ready", "lexical", "embedding", "none", "failed"]);

export class Session implements vscode.Disposable {
  readonly #status = new StatusItem();
  readonly #settled = new vscode.EventEmitter<void>();
  /** Fires when the library begins to be read, has been read, or read again, and when there is none any more. */
  readonly onDidSettle = this.#settled.event;
  readonly #led = new vscode.EventEmitter<readonly vscode.LocationLink[]>();
  /** Fires with the places that a definition was found to be, whether or not one goes there. */
  readonly onDidFindDefinition = this.#led.event;
  readonly #keys: readonly string[];
  readonly #environment: ManagedEnvironment;
  readonly #installer: Installer;
  readonly #storage: string;
  #phase: ServerStatus["phase"] | undefined;
  #client: LexlsClient | undefined;
  #found: Found | undefined;
  /** The last operation; each one begins when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#keys = serverKeys(context.extension.packageJSON);
    this.#storage = context.globalStorageUri.fsPath;
    this.#environment = new ManagedEnvironment(this.#storage, context.asAbsolutePath("server"), log);
    this.#installer = new Installer(
      this.#environment,
      () => setting("python"),
      () => this.#interpreter(),
      context.globalState,
      log,
      () => this.restart(),
    );
  }

  /** The program that runs now. */
  get found(): Found | undefined {
    return this.#found;
  }

  /** Whether the server runs and has no folders to read. */
  get hasNoLibrary(): boolean {
    return this.#found !== undefined && this.#phase === "none";
  }

  /** The running client, once it has started; an Error that a person can read when it has not. */
  async client(): Promise<LexlsClient> {
    await this.#last;
    if (this.#client?.isRunning() !== true) {
      throw new Error("lexls is not running. The log says why (command “lexls: Show Log”).");
    }
    return this.#client;
  }

  /** Says what lexls is doing and what can be done about it. */
  menu(): Promise<void> {
    return this.#status.menu();
  }

  /** Installs lexls, or again; whether it is there. */
  install(): Promise<boolean> {
    return this.#installer.install();
  }

  /** The running client; where lexls is not installed, it is installed first. */
  async ensure(): Promise<LexlsClient> {
    await this.#last;
    // A program that the user named is started or reported; nothing is installed in its stead.
    if (this.#found === undefined && setting("path") === "") {
      await this.#installer.install();
    }
    return this.client();
  }

  /** Stops the server if it runs, looks for it again, and starts it. */
  restart(): Promise<void> {
    return this.#queue(async () => {
      await this.#stop();
      await this.#start();
    });
  }

  stop(): Promise<void> {
    return this.#queue(() => this.#stop());
  }

  dispose(): void {
    this.#settled.dispose();
    this.#led.dispose();
    this.#status.dispose();
  }

  #queue(operation: () => Promise<void>): Promise<void> {
    const next = this.#last.then(operation);
    this.#last = next.catch((error: unknown) => this.log.error(String(error)));
    return next;
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#found = undefined;
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => this.log.warn(`Stopping the server: ${String(error)}`));
    }
  }

  async #start(): Promise<void> {
    this.#status.show({ kind: "starting" });
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(this.#storage));
    const located = await this.#locate();
    for (const { origin, command, reason } of located.rejected) {
      this.log.warn(`Not from ${origin}: ${command}: ${reason}`);
    }
    if (located.found === undefined) {
      this.#missing(located);
      return;
    }
    const found = located.found;
    this.log.info(`lexls ${found.version} from ${found.origin}: ${[found.command, ...found.args].join(" ")}`);
    const { LexlsClient, State } = await import("./client.js");
    const client = new LexlsClient(
      found,
      this.#storage,
      this.log,
      this.#keys,
      this.context.extension.packageJSON,
      places => this.#led.fire(places),
    );
    this.#client = client;
    this.#found = found;
    client.onNotification(STATUS, (status: ServerStatus) => {
      this.#status.show({ kind: "running", status });
      const isAnother = status.phase !== this.#phase;
      this.#phase = status.phase;
      if (SETTLED.has(status.phase) || isAnother) {
        this.#settled.fire();
      }
    });
    client.onNotification(CHECKED, (draft: CheckedDraft) => this.#status.count(draft));
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) {
        return;
      }
      if (newState === State.Running) {
        this.#status.show({ kind: "running", status: undefined });
      } else if (newState === State.Starting) {
        this.#status.show({ kind: "starting" });
      } else {
        this.#status.show({ kind: "stopped", reason: "See the log for the reason." });
      }
    });
    await client.start();
    if (found.origin === MANAGED) {
      void this.#installer.upgrade();
    }
  }

  async #locate(): Promise<Located> {
    return locate(
      {
        path: setting("path"),
        python: setting("python"),
        interpreter: () => this.#interpreter(),
        searchPath: process.env["PATH"] ?? "",
        managed: await this.#environment.current(),
      },
      probeIn(this.#storage),
    );
  }

  async #interpreter(): Promise<string | undefined> {
    try {
      return await selectedInterpreter();
    } catch (error) {
      this.log.warn(`The Python extension did not name an interpreter: ${String(error)}`);
      return undefined;
    }
  }

  #missing(located: Located): void {
    const reasons = located.rejected.map(({ origin, command, reason }) => `${origin} (${command}): ${reason}`);
    this.#status.show({ kind: "missing", reason: reasons.join("; ") || "It is not installed." });
    // Not awaited: other commands need not wait for the user's answer.
    void this.#installer.offer(located);
  }
}

/** A path in `lexls.server`, as people write it: `~` and `${workspaceFolder}` stand for folders. */
function setting(name: "path" | "python"): string {
  const path = vscode.workspace.getConfiguration("lexls.server").get(name, "");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return path
    .trim()
    .replace(/^~(?=$|[\\/])/, homedir())
    .replaceAll("${workspaceFolder}", folder);
}
