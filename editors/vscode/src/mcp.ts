/** A client of the Model Context Protocol over standard input and output, for calling tools. Knows nothing of VS Code's API. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import type { CancellationToken } from "vscode";
import type { Program } from "./locate";

const PROTOCOL = "2025-06-18";
/** How long a server that nobody asks stays: it keeps the library's index in memory. */
const IDLE_MILLISECONDS = 600_000;

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Starts the program when a tool is first called, and again when it has ended. */
export class McpClient {
  #process: ChildProcessWithoutNullStreams | undefined;
  #ready: Promise<unknown> = Promise.resolve();
  #next = 0;
  #idle: NodeJS.Timeout | undefined;
  readonly #pending = new Map<number, Pending>();

  constructor(
    private readonly program: Program,
    private readonly folder: string,
    private readonly log: (line: string) => void,
  ) {}

  /** The answer of a tool; an Error where the server cannot be started, ends, or does not know it. */
  async call(tool: string, input: object, token: CancellationToken): Promise<ToolAnswer> {
    clearTimeout(this.#idle);
    this.#start();
    try {
      await this.#ready;
      return (await this.#request("tools/call", { name: tool, arguments: input }, token)) as ToolAnswer;
    } finally {
      clearTimeout(this.#idle);
      if (this.#pending.size === 0) {
        this.#idle = setTimeout(() => this.dispose(), IDLE_MILLISECONDS);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#process?.stdin.end();
  }

  #start(): void {
    if (this.#process !== undefined) {
      return;
    }
    const child = spawn(this.program.command, [...this.program.args], { cwd: this.folder, windowsHide: true });
    this.#process = child;
    let last = "";
    const end = (reason: string) => {
      if (this.#process === child) {
        this.#process = undefined;
      }
      for (const { reject } of this.#pending.values()) {
        reject(new Error(reason));
      }
      this.#pending.clear();
    };
    child.on("error", error => end(error.message));
    child.on("close", code => end(last || `lexls mcp ended (exit status ${code})`));
    child.stdin.on("error", () => {}); // what ended it is heard of by "close"
    createInterface({ input: child.stdout }).on("line", line => this.#take(line));
    createInterface({ input: child.stderr }).on("line", line => {
      last = line.trim() || last;
      this.log(line);
    });
    const about = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "lexls for VS Code", version: "1" } };
    this.#ready = this.#request("initialize", about).then(() => this.#send({ method: "notifications/initialized" }));
  }

  #request(method: string, params: object, token?: CancellationToken): Promise<unknown> {
    const id = ++this.#next;
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
      token?.onCancellationRequested(() => {
        if (this.#pending.delete(id)) {
          this.#send({ method: "notifications/cancelled", params: { requestId: id } });
          reject(new Error("cancelled"));
        }
      });
    });
  }

  #send(message: object): void {
    this.#process?.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #take(line: string): void {
    if (!line.startsWith("{")) {
      return; // what some library prints
    }
    const message = JSON.parse(line) as Message;
    const pending = message.id === undefined ? undefined : this.#pending.get(message.id);
    if (message.method !== undefined || message.id === undefined || pending === undefined) {
      return; // a notification: nothing is asked of this client, which says that it can do nothing
    }
    this.#pending.delete(message.id);
    if (message.error === undefined) {
      pending.resolve(message.result);
    } else {
      pending.reject(new Error(message.error.message));
    }
  }
}
