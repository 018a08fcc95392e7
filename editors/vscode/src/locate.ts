/** Where the server is: looks for a lexls that runs, in the documented order. Knows nothing of VS Code. */
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** A program with the arguments that come before lexls's own. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What led to a program, where it is the one that the extension installed. */
export const MANAGED = "the managed environment";

/** A program, and what led to it, in words. */
export interface Candidate extends Program {
  readonly origin: string;
}

export interface Found extends Candidate {
  readonly version: string;
}

export interface Rejected extends Candidate {
  readonly reason: string;
}

/** What the search may use; empty strings stand for "not set". */
export interface Places {
  /** `lexls.server.path`. */
  readonly path: string;
  /** `lexls.server.python`. */
  readonly python: string;
  /** The interpreter selected in the Python extension, asked for only when it is its turn. */
  readonly interpreter: () => Promise<string | undefined>;
  /** The `PATH` to search. */
  readonly searchPath: string;
  /** The environment that the extension made: its Python, and the one it was made from. */
  readonly managed: { readonly python: string; readonly base: string } | undefined;
}

export interface Located {
  readonly found: Found | undefined;
  /** What was tried before, in order, and why it was not taken. */
  readonly rejected: readonly Rejected[];
  /** Whether the user named the program: then nothing else is tried in its stead. */
  readonly explicit: boolean;
}

/** The version of the lexls that a program runs; throws an Error whose message says why there is none. */
export type Probe = (program: Program) => Promise<string>;

export async function locate(places: Places, probe: Probe): Promise<Located> {
  const rejected: Rejected[] = [];
  const attempt = async (candidate: Candidate): Promise<Found | undefined> => {
    try {
      return { ...candidate, version: await probe(candidate) };
    } catch (error) {
      rejected.push({ ...candidate, reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  };
  const managed = places.managed && { origin: MANAGED, ...asModule(places.managed.python) };
  if (places.path !== "") {
    const found = await attempt({ origin: "lexls.server.path", ...asProgram(places.path) });
    return { found, rejected, explicit: true };
  }
  if (places.python !== "") {
    const found = await attempt({ origin: "lexls.server.python", ...asModule(places.python) });
    const made = places.managed?.base === places.python ? managed : undefined;
    return { found: found ?? (made && (await attempt(made))), rejected, explicit: true };
  }
  const interpreter = await places.interpreter();
  const onPath = findOnPath("lexls", places.searchPath);
  const candidates: (Candidate | undefined)[] = [
    interpreter === undefined ? undefined : { origin: "the selected Python interpreter", ...asModule(interpreter) },
    onPath === undefined ? undefined : { origin: "PATH", command: onPath, args: [] },
    managed,
  ];
  for (const candidate of candidates) {
    const found = candidate && (await attempt(candidate));
    if (found) {
      return { found, rejected, explicit: false };
    }
  }
  return { found: undefined, rejected, explicit: false };
}

/** What the user named. Node starts no batch file of Windows but by its shell. */
function asProgram(path: string): Program {
  const shell = process.env["ComSpec"];
  return shell !== undefined && /\.(?:cmd|bat)$/i.test(path)
    ? { command: shell, args: ["/d", "/c", path] }
    : { command: path, args: [] };
}

/** `python -m lexls`. */
export function asModule(python: string): Program {
  return { command: python, args: ["-m", "lexls"] };
}

/**
 * Asks a program for `--version`. `cwd` is a folder of our own: `python -m` imports from the folder it stands
 * in, so it must never be the workspace's.
 */
export function probeIn(cwd: string): Probe {
  return async ({ command, args }) => {
    const output = await outputOf(command, [...args, "--version"], cwd);
    const version = /^lexls (\S+)/m.exec(output)?.[1];
    if (version === undefined) {
      throw new Error(`it answered "${firstLine(output)}" to --version, which is no lexls`);
    }
    return version;
  };
}

/** The standard output of a program; throws an Error with the last line it wrote when it fails. */
export function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { cwd, timeout: 30_000, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else if (error.killed === true) {
        reject(new Error("it did not answer within 30 s"));
      } else if (error.code === "ENOENT") {
        reject(new Error("there is no such program"));
      } else {
        reject(new Error(stderr.trim().split("\n").at(-1)?.trim() || error.message));
      }
    });
  });
}

/** The first program of that name on a `PATH`; relative entries are skipped, since they depend on the folder. */
export function findOnPath(name: string, searchPath: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return searchPath
    .split(delimiter)
    .filter(folder => isAbsolute(folder))
    .map(folder => join(folder, file))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether there is a file, links followed. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Whether there is a folder, links followed. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 80);
}
