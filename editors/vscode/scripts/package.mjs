// usage: package.mjs [FILE [WHEEL]]   Builds lexls.vsix: the extension, the wheel of the server with the pins of what it needs, the sample, licence and changes.
// The same sources give the same bytes. PYTHON names the Python (with pip) that builds the wheel, if none is given. Where the project is to
// be found in public, pyproject.toml says ([project.urls]), and the package's repository, bugs and homepage follow it.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = join(here, "..", "..");
const file = resolve(process.argv[2] ?? join(here, "lexls.vsix"));
const wheel = process.argv[3] && resolve(process.argv[3]);
process.chdir(here);
process.umask(0o022);
const windows = process.platform === "win32";
// An archive has times as a clock on the wall shows them.
const env = { ...process.env, TZ: "UTC", SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? "1700000000" };
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: "inherit", env, ...options });

rmSync(join(here, "dist"), { recursive: true, force: true }); // what an earlier build left
run("npm", ["run", "-s", "build"], { shell: windows });

// Everything that goes into the package lies in one folder, and nothing else does.
const staged = join(here, "build");
rmSync(staged, { recursive: true, force: true });
mkdirSync(join(staged, "server"), { recursive: true });
const copy = (from, to) => cpSync(from, join(staged, to), { recursive: true, filter: path => !path.includes("__pycache__") });
for (const name of ["icon", "walkthrough", "dist"]) copy(join(here, name), name);
for (const name of ["LICENSE", "CHANGELOG.md"]) copy(join(repository, name), name);
// What is bundled keeps its licence.
const modules = join(here, "node_modules");
for (const [name, licence] of [["pdfjs-dist", "LICENSE"], ["vscode-languageclient", "License.txt"]]) copy(join(modules, name, licence), `licences/${name}.txt`);
for (const [folder, ...names] of [["wasm", "JBIG2", "OPENJPEG", "PDFJS_JBIG2", "PDFJS_OPENJPEG"], ["standard_fonts", "FOXIT", "LIBERATION"]]) {
  for (const name of names) copy(join(modules, "pdfjs-dist", folder, `LICENSE_${name}`), `licences/${name.toLowerCase()}.txt`);
}
for (const name of ["lexls.toml", "library", "drafts/skeleton-argument.md"]) copy(join(repository, "examples", name), `sample/${name}`);

const own = join(repository, ".venv", windows ? "Scripts/python.exe" : "bin/python");
const python = process.env.PYTHON ?? (existsSync(own) ? own : windows ? "python" : "python3");
const question = "import json, tomllib; print(json.dumps(tomllib.load(open('pyproject.toml', 'rb'))['project'].get('urls', {})))";
const urls = JSON.parse(execFileSync(python, ["-c", question], { cwd: repository, encoding: "utf8" }));
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
if (urls.Repository) manifest.repository = { type: "git", url: urls.Repository };
if (urls.Issues) manifest.bugs = { url: urls.Issues };
if (urls.Homepage) manifest.homepage = urls.Homepage;
writeFileSync(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

// Pictures lie in the repository's documentation; a gallery and VS Code show those that lie beside the page.
const pictures = [];
const page = readFileSync(join(here, "README.md"), "utf8").replace(/\(\.\.\/\.\.\/docs\/(images\/[\w-]+\.png)\)/g, (_, name) => {
  pictures.push(name);
  return `(${name})`;
});
for (const name of pictures) copy(join(repository, "docs", name), name);
writeFileSync(join(staged, "README.md"), page);
writeFileSync(join(staged, ".vscodeignore"), "");

for (const name of ["requirements.txt", "mcp-requirements.txt"]) copy(join(repository, "supply", name), `server/${name}`);
if (wheel) copy(wheel, `server/${basename(wheel)}`);
else run(python, ["-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "-w", join(staged, "server"), repository]);

const vsce = join(here, "node_modules", "@vscode", "vsce", "vsce");
const quietly = ["--no-dependencies", "--no-rewrite-relative-links", ...(urls.Repository ? [] : ["--allow-missing-repository"])];
run(process.execPath, [vsce, "package", ...quietly, "--out", file], { cwd: staged });
