// Builds lexls.vsix with the project's licence inside; the same sources give the same bytes.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(here);
process.umask(0o022);
copyFileSync(join(here, "..", "..", "LICENSE"), join(here, "LICENSE"));
const run = (script, ...args) => execFileSync(process.execPath, [script, ...args], {
  stdio: "inherit",
  env: { ...process.env, SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? "1700000000" },
});
execFileSync("npm", ["run", "-s", "build"], { stdio: "inherit", shell: process.platform === "win32" });
run("node_modules/@vscode/vsce/vsce", "package", "--no-dependencies", "--allow-missing-repository", "--out", process.argv[2] ?? "lexls.vsix");
