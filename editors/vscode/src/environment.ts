/** The environment that the extension makes for lexls, from the wheel that it carries. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { asModule, isFile, probeIn } from "./locate";
import { findPython, findUv, MINORS, type PythonPlaces, type Unfit } from "./pythons";
import { runLogged } from "./run";

/** An installation that came to its end; one that did not is never written down. */
interface Installed {
  /** The folder's name below `environments`. */
  readonly folder: string;
  readonly version: string;
  /** The SHA-256 of the wheel and of the pins of what it needs, in hexadecimal digits. */
  readonly wheel: string;
  /** The Python it was made from. */
  readonly base: string;
}

/** The server that the extension carries. */
interface Carried {
  readonly wheel: string;
  /** The files that pin what the wheel and its tools for language models need, each with its hashes. */
  readonly pins: readonly string[];
  readonly digest: string;
}

const PINS = ["requirements.txt", "mcp-requirements.txt"];

/** No Python that lexls runs on; the message is for the user, `unfit` for the log. */
export class NoPython extends Error {
  constructor(readonly unfit: readonly Unfit[]) {
    const nearest = unfit.find(({ reason }) => reason.startsWith("it is Python") || reason.startsWith("it lacks"));
    const seen = nearest === undefined ? "none was found" : `${nearest.command} does not do: ${nearest.reason}`;
    super(`It needs Python 3.${MINORS[0]} to 3.${MINORS[1]} (64 bits); ${seen}`);
  }
}

/** Private virtual environments under the extension's storage, of which one is in use. */
export class ManagedEnvironment {
  readonly #folders: string;
  readonly #record: string;

  constructor(
    private readonly storage: string,
    /** The folder of the extension that holds the wheel and its pins. */
    private readonly carried: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#folders = join(storage, "environments");
    this.#record = join(storage, "environment.json");
  }

  /** The Python of the environment in use, and the one that it was made from; undefined if there is none. */
  async current(): Promise<{ readonly python: string; readonly base: string } | undefined> {
    const installed = await this.#installed();
    return installed && { python: this.#python(installed.folder), base: installed.base };
  }

  /** Whether it runs, holds the lexls that the extension carries, and was made from this Python ("": from any). */
  async isGood(setting: string): Promise<boolean> {
    const current = await this.current();
    if (current === undefined || (setting !== "" && setting !== current.base) || (await this.isOutdated())) {
      return false;
    }
    return probeIn(this.storage)(asModule(current.python)).then(() => true, () => false);
  }

  /** Whether the environment in use holds another lexls than the extension carries. */
  async isOutdated(): Promise<boolean> {
    const [installed, server] = [await this.#installed(), await this.#server()];
    return installed !== undefined && server !== undefined && installed.wheel !== server.digest;
  }

  /**
   * Installs the wheel into a new environment, which takes the place of the one in use when all went well. `report` is
   * told what goes on, in words. Throws `NoPython`, or an Error that says what went wrong.
   */
  async install(
    setting: string,
    interpreter: string | undefined,
    report: (message: string) => void,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const server = await this.#server();
    if (server === undefined) {
      throw new Error("this build of the extension carries no server");
    }
    report("looking for Python…");
    const environment = process.env;
    const places = { setting, interpreter, environment, home: homedir(), platform: process.platform };
    const uv = findUv(places);
    const folder = `${process.pid}-${Date.now()}`;
    await this.#removeOthers();
    await mkdir(this.#folders, { recursive: true });
    try {
      const base = await this.#make(folder, uv, server, places, report, token);
      report("starting it for the first time…");
      const version = await probeIn(this.storage)(asModule(this.#python(folder)));
      const installed: Installed = { folder, version, wheel: server.digest, base };
      await writeFile(`${this.#record}.new`, JSON.stringify(installed));
      await rename(`${this.#record}.new`, this.#record);
    } catch (error) {
      await rm(join(this.#folders, folder), { recursive: true, force: true });
      throw error;
    }
  }

  /** Makes an environment with uv if there is one, and where that fails without it; the Python it was made from. */
  async #make(
    folder: string,
    uv: string | undefined,
    { wheel, pins }: Carried,
    places: PythonPlaces,
    report: (message: string) => void,
    token: vscode.CancellationToken,
  ): Promise<string> {
    const path = join(this.#folders, folder);
    const python = this.#python(folder);
    const run = async (command: string, ...args: string[]) => {
      const failure = new Failure();
      const hear = (line: string) => {
        failure.hear(line);
        const doing = /^\s*(Downloading|Installing collected packages)\s*:?\s*(\S+)(?:.*\((.+)\))?/.exec(line);
        if (doing?.[1] === "Downloading") {
          report(`fetching ${packageName(doing[2] ?? "")}${doing[3] === undefined ? "" : ` (${doing[3]})`}…`);
        } else if (doing !== null) {
          report("unpacking…");
        }
      };
      await runLogged(command, args, this.storage, this.log, token, hear).catch((error: unknown) => {
        throw token.isCancellationRequested ? error : failure.explain(error);
      });
    };
    const pinned = ["--require-hashes", ...pins.flatMap(file => ["-r", file])];
    const installing = "fetching what lexls needs (about 100 MB)…";
    const found = uv === undefined ? undefined : (await findPython(places, this.storage, false)).python;
    // Without a Python that fits, uv fetches one; but not in place of the one that the user named.
    if (uv !== undefined && (found !== undefined || places.setting === "")) {
      const base = found?.args.length === 0 ? found.command : `>=3.${MINORS[0]},<3.${MINORS[1] + 1}`;
      try {
        report("making an environment…");
        await run(uv, "venv", "--seed", "--no-project", "--no-config", "--python", base, path);
        report(installing);
        const install = ["pip", "install", "--python", python, "--only-binary", ":all:"];
        await run(uv, ...install, ...pinned);
        await run(uv, ...install, "--no-deps", wheel);
        return base;
      } catch (error) {
        if (token.isCancellationRequested || found === undefined) {
          throw error;
        }
        // It knows nothing of an index that the user set for pip.
        this.log.warn(`uv: ${String(error)}; trying without it`);
        await rm(path, { recursive: true, force: true });
      }
    }
    const { python: base, unfit } = await findPython(places, this.storage, true);
    for (const { origin, command, reason } of unfit) {
      this.log.info(`Not this Python (${origin}): ${command}: ${reason}`);
    }
    if (base === undefined) {
      throw new NoPython(unfit);
    }
    this.log.info(`Python ${base.version} from ${base.origin}: ${base.command}`);
    report("making an environment…");
    await run(base.command, ...base.args, "-m", "venv", path);
    report(installing);
    // Python compiles what it uses, which is a small part.
    const quietly = ["--disable-pip-version-check", "--no-input", "--no-compile", "--retries", "2", "--only-binary", ":all:"];
    await run(python, "-m", "pip", "install", ...quietly, ...pinned);
    await run(python, "-m", "pip", "install", ...quietly, "--no-deps", wheel);
    return base.command;
  }

  #python(folder: string): string {
    const [scripts, file] = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
    return join(this.#folders, folder, scripts, file);
  }

  async #installed(): Promise<Installed | undefined> {
    try {
      const installed = JSON.parse(await readFile(this.#record, "utf8")) as Installed;
      return isFile(this.#python(installed.folder)) ? installed : undefined;
    } catch {
      return undefined;
    }
  }

  async #server(): Promise<Carried | undefined> {
    const names = await readdir(this.carried).catch(() => []);
    const name = names.find(each => each.endsWith(".whl"));
    if (name === undefined) {
      return undefined;
    }
    const wheel = join(this.carried, name);
    const pins = PINS.map(file => join(this.carried, file));
    const hash = createHash("sha256");
    for (const file of [wheel, ...pins]) {
      hash.update(await readFile(file));
    }
    return { wheel, pins, digest: hash.digest("hex") };
  }

  /** Removes what is not in use: what was interrupted, and what another took the place of. */
  async #removeOthers(): Promise<void> {
    const used = (await this.#installed())?.folder;
    for (const folder of await readdir(this.#folders).catch(() => [])) {
      const makers = Number(folder.split("-")[0]);
      if (folder !== used && (makers === process.pid || !isAlive(makers))) {
        await rm(join(this.#folders, folder), { recursive: true, force: true }).catch(() => {});
      }
    }
  }
}

/** What a failed installation wrote, and what that means. */
class Failure {
  #offline = false;
  #altered = false;
  #missing = "";
  #collecting = "";

  hear(line: string): void {
    this.#offline ||= OFFLINE.test(line);
    this.#altered ||= /DO NOT MATCH THE HASHES|Hash mismatch/.test(line);
    this.#missing = (/No matching distribution found for ([\w.-]+)/.exec(line) ?? /\/simple\/([\w.-]+)/.exec(line))?.[1] ?? this.#missing;
    this.#collecting = /^\s*Collecting ([\w.-]+)/.exec(line)?.[1] ?? this.#collecting;
  }

  explain(error: unknown): unknown {
    const name = this.#missing || this.#collecting;
    const what = name === "" ? "What lexls needs" : `“${name}”, which lexls needs,`;
    if (this.#altered) {
      return new Error(`${what} is not the file that this release of lexls was made with: nothing was installed`);
    }
    if (this.#offline) {
      return new Error(`${what} could not be fetched: the package index cannot be reached. Is there a connection?`);
    }
    return this.#missing === "" ? error : new Error(`${what} could not be fetched: the package index has none for this machine`);
  }
}

const OFFLINE =
  /NewConnectionError|ConnectTimeout|ConnectionError|ProxyError|SSLError|[Nn]ame resolution|getaddrinfo|timed out|unreachable|[Cc]onnection (refused|reset)|dns error|error sending request|tcp connect/;

/** "numpy" of "numpy-2.1.0-cp311-…whl". */
function packageName(file: string): string {
  return (file.split("/").at(-1) ?? file).split("-")[0] ?? file;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
