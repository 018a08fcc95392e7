/**
 * Which Python lexls can be installed with: looks in the documented places, in order, and asks each what it is. Knows
 * nothing of VS Code.
 */
import { readdirSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { findOnPath, isFile, outputOf, type Candidate } from "./locate";

/** Oldest and newest Python minor versions (3.x) that lexls runs on, as pyproject.toml has them. */
export const MINORS = [11, 14] as const;

/** A Python that lexls can be installed with. */
export interface Python extends Candidate {
  /** As in "3.13". */
  readonly version: string;
  /** Whether it can make a virtual environment itself; Debian's needs a package more for that. */
  readonly hasVenv: boolean;
}

export interface Unfit extends Candidate {
  readonly reason: string;
}

/** What the search may use. */
export interface PythonPlaces {
  /** `lexls.server.python`, "" where it is not set. */
  readonly setting: string;
  /** The interpreter selected in the Python extension. */
  readonly interpreter: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

const MINORS_DOWN = Array.from({ length: MINORS[1] - MINORS[0] + 1 }, (_, index) => MINORS[1] - index);
const QUESTION =
  "import sys, struct, importlib.util as u; " +
  "print(*sys.version_info[:2], 8 * struct.calcsize('P'), u.find_spec('venv') and u.find_spec('ensurepip') and 1 or 0)";

/**
 * The first Python that fits, and what was tried before it. One without `venv` is taken only where none has it, or
 * where `venvNeeded` is false. `cwd` is a folder of our own: Python must not import from the workspace.
 */
export async function findPython(
  places: PythonPlaces,
  cwd: string,
  venvNeeded: boolean,
): Promise<{ readonly python: Python | undefined; readonly unfit: readonly Unfit[] }> {
  const unfit: Unfit[] = [];
  for (const candidate of candidates(places)) {
    const answer = await ask(candidate, cwd);
    if (typeof answer === "string") {
      unfit.push({ ...candidate, reason: answer });
    } else if (venvNeeded && !answer.hasVenv) {
      unfit.push({ ...candidate, reason: `it lacks venv (on Debian and Ubuntu: apt install python${answer.version}-venv)` });
    } else {
      return { python: answer, unfit };
    }
  }
  return { python: undefined, unfit };
}

async function ask(candidate: Candidate, cwd: string): Promise<Python | string> {
  let answer: string;
  try {
    answer = await outputOf(candidate.command, [...candidate.args, "-I", "-c", QUESTION], cwd);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const [major, minor, bits, venv] = answer.trim().split(" ").map(Number);
  if (major === undefined || minor === undefined || Number.isNaN(major)) {
    return "it is no Python";
  }
  const version = `${major}.${minor}`;
  if (major !== 3 || minor < MINORS[0] || minor > MINORS[1]) {
    return `it is Python ${version}`;
  }
  return bits === 64 ? { ...candidate, version, hasVenv: venv === 1 } : `it is Python ${version} for 32 bits`;
}

/** Every place where a Python may be, in the order in which they are tried; each program once. */
export function candidates(places: PythonPlaces): Candidate[] {
  const seen = new Set<string>();
  return [...inOrder(places)].filter(({ command, args }) => {
    const key = [command, ...args].join("\0");
    return !seen.has(key) && seen.add(key);
  });
}

function* inOrder({ setting, interpreter, environment, home, platform }: PythonPlaces): Generator<Candidate> {
  if (setting !== "") {
    yield { origin: "lexls.server.python", command: setting, args: [] };
    return;
  }
  if (interpreter !== undefined) {
    yield { origin: "the selected Python interpreter", command: interpreter, args: [] };
  }
  const searchPath = environment["PATH"] ?? environment["Path"] ?? "";
  for (const name of [...MINORS_DOWN.map(minor => `python3.${minor}`), "python3", "python"]) {
    const command = findOnPath(name, searchPath);
    // What macOS has in /usr/bin is too old, or asks to install developer tools.
    if (command !== undefined && !(platform === "darwin" && command.startsWith("/usr/bin/"))) {
      yield { origin: "PATH", command, args: [] };
    }
  }
  const windows = platform === "win32";
  const path = windows ? win32 : posix;
  if (windows) {
    const launcher = findOnPath("py", searchPath) ?? path.join(environment["SystemRoot"] ?? "C:\\Windows", "py.exe");
    if (isFile(launcher)) {
      yield* MINORS_DOWN.map(minor => ({ origin: "the Python launcher", command: launcher, args: [`-3.${minor}`] }));
    }
  }
  for (const { origin, folder, file } of wellKnown(environment, home, platform)) {
    for (const minor of MINORS_DOWN) {
      for (const each of expand(folder.replaceAll("{minor}", String(minor)))) {
        const command = path.join(each, file.replaceAll("{minor}", String(minor)));
        if (isFile(command)) {
          yield { origin, command, args: [] };
        }
      }
    }
  }
}

/** Where installers put Python. `{minor}` stands for a version, a `*` at the end for whatever follows. */
function wellKnown(
  environment: PythonPlaces["environment"],
  home: string,
  platform: NodeJS.Platform,
): { readonly origin: string; readonly folder: string; readonly file: string }[] {
  if (platform === "win32") {
    const local = environment["LOCALAPPDATA"] ?? win32.join(home, "AppData", "Local");
    const roaming = environment["APPDATA"] ?? win32.join(home, "AppData", "Roaming");
    const programs = environment["ProgramFiles"] ?? "C:\\Program Files";
    const pyenv = environment["PYENV_ROOT"] ?? win32.join(home, ".pyenv", "pyenv-win");
    const file = "python.exe";
    return [
      { origin: "python.org's installer", folder: win32.join(local, "Programs", "Python", "Python3{minor}"), file },
      { origin: "python.org's installer", folder: win32.join(programs, "Python3{minor}"), file },
      { origin: "pyenv", folder: win32.join(pyenv, "versions", "3.{minor}.*"), file },
      { origin: "uv", folder: win32.join(roaming, "uv", "python", "cpython-3.{minor}.*"), file },
    ];
  }
  const file = "python3.{minor}";
  const pyenv = environment["PYENV_ROOT"] ?? join(home, ".pyenv");
  const data = environment["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const others = [
    { origin: "pyenv", folder: join(pyenv, "versions", "3.{minor}.*", "bin"), file },
    { origin: "uv", folder: join(data, "uv", "python", "cpython-3.{minor}.*", "bin"), file },
  ];
  if (platform !== "darwin") {
    return [{ origin: "Homebrew", folder: "/home/linuxbrew/.linuxbrew/bin", file }, ...others];
  }
  const framework = "/Library/Frameworks/Python.framework/Versions/3.{minor}/bin";
  return [
    { origin: "python.org's installer", folder: framework, file },
    { origin: "Homebrew", folder: "/opt/homebrew/bin", file },
    { origin: "Homebrew", folder: "/usr/local/bin", file },
    ...others,
  ];
}

/** The folders that a pattern stands for, the newest version first. */
function expand(pattern: string): string[] {
  const star = pattern.indexOf("*");
  if (star < 0) {
    return [pattern];
  }
  const cut = Math.max(pattern.lastIndexOf("/", star), pattern.lastIndexOf("\\", star));
  const [above, lead, below] = [pattern.slice(0, cut), pattern.slice(cut + 1, star), pattern.slice(star + 1)];
  let names: string[];
  try {
    names = readdirSync(above);
  } catch {
    return [];
  }
  return names
    .filter(name => name.startsWith(lead))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map(name => pattern.slice(0, cut + 1) + name + below);
}

/** uv, where the user has it: on `PATH` or where its installer puts it. */
export function findUv({ environment, home, platform }: PythonPlaces): string | undefined {
  const onPath = findOnPath("uv", environment["PATH"] ?? environment["Path"] ?? "");
  const file = platform === "win32" ? "uv.exe" : "uv";
  const places = [onPath, join(home, ".local", "bin", file), join(home, ".cargo", "bin", file)];
  return places.find(each => each !== undefined && isFile(each));
}
