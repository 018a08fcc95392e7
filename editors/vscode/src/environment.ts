/** The environment that the extension makes and keeps for lexls, when the user agrees to it. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { findOnPath, outputOf, type Program } from "./locate";
import { runLogged } from "./run";

/** Oldest and newest Python minor versions (3.x) that lexls runs on. */
const MINORS = [11, 14] as const;

/** A private virtual environment under the extension's global storage. */
export class ManagedEnvironment {
  readonly #folder: string;

  constructor(
    private readonly storage: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#folder = join(storage, "environment");
  }

  /** Its Python, whether or not it exists. */
  get python(): string {
    return process.platform === "win32"
      ? join(this.#folder, "Scripts", "python.exe")
      : join(this.#folder, "bin", "python");
  }

  /** Makes it anew and installs lexls, showing progress; throws an Error that says what went wrong. */
  async create(interpreter: string | undefined): Promise<void> {
    const options = { location: vscode.ProgressLocation.Notification, title: "lexls", cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      progress.report({ message: "looking for Python…" });
      const base = await this.#basePython(interpreter);
      progress.report({ message: "making an environment…" });
      await rm(this.#folder, { recursive: true, force: true });
      try {
        await runLogged(base.command, [...base.args, "-m", "venv", this.#folder], this.storage, this.log, token);
        progress.report({ message: "installing lexls…" });
        const install = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "lexls"];
        await runLogged(this.python, install, this.storage, this.log, token);
      } catch (error) {
        await rm(this.#folder, { recursive: true, force: true });
        throw error;
      }
    });
  }

  /** A Python of a version that lexls runs on: the selected interpreter, else the newest on `PATH`. */
  async #basePython(interpreter: string | undefined): Promise<Program> {
    const tried: string[] = [];
    for (const program of pythons(interpreter)) {
      const ask = [...program.args, "-c", "import sys; print(*sys.version_info[:2])"];
      const version = await outputOf(program.command, ask, this.storage).catch(() => "");
      const [major, minor] = version.trim().split(" ").map(Number);
      if (major === 3 && minor !== undefined && minor >= MINORS[0] && minor <= MINORS[1]) {
        return program;
      }
      tried.push(`${program.command} ${version.trim().replace(" ", ".") || "(does not run)"}`);
    }
    const seen = tried.length === 0 ? "" : ` Found: ${tried.join(", ")}.`;
    throw new Error(`lexls needs Python 3.${MINORS[0]} to 3.${MINORS[1]}, and none is on PATH.${seen}`);
  }
}

function pythons(interpreter: string | undefined): Program[] {
  const versioned = [];
  for (let minor = MINORS[1]; minor >= MINORS[0]; minor--) {
    versioned.push(`python3.${minor}`);
  }
  const programs = [...versioned, "python3", "python"].flatMap(name => {
    const command = findOnPath(name, process.env["PATH"] ?? "");
    return command === undefined ? [] : [{ command, args: [] as string[] }];
  });
  const launcher = process.platform === "win32" ? findOnPath("py", process.env["PATH"] ?? "") : undefined;
  return [
    ...(interpreter === undefined ? [] : [{ command: interpreter, args: [] as string[] }]),
    ...(launcher === undefined ? [] : [{ command: launcher, args: ["-3"] }]),
    ...programs,
  ];
}
