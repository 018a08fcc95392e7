// usage: node pythons.mjs   in which order Pythons are tried, and which are taken; programs that answer as they would
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const extension = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "editors", "vscode");
const { buildSync } = createRequire(join(extension, "package.json"))("esbuild");
const home = mkdtempSync(join(tmpdir(), "lexls-pythons-"));
const bundle = join(home, "pythons.cjs");
buildSync({ entryPoints: [join(extension, "src", "pythons.ts")], bundle: true, platform: "node", format: "cjs", outfile: bundle });
const { candidates, findPython, findUv } = createRequire(import.meta.url)(bundle);

/** A program at a place below the home folder that answers every question so. */
function program(place, answer) {
  const path = join(home, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${answer}\n`);
  chmodSync(path, 0o755);
  return path;
}
const places = more => ({
  setting: "", interpreter: undefined, environment: { PATH: join(home, "path") }, home, platform: "linux", ...more,
});
const origins = found => found.map(({ origin, command }) => `${origin}: ${command.slice(home.length + 1)}`);

const tests = {
  "places are tried in the documented order"() {
    program("path/python3", "echo 3 10 64 1");
    program("path/python3.11", "echo 3 11 64 0");
    program("path/python3.13", "exit 127");
    program(".pyenv/versions/3.12.4/bin/python3.12", "echo 3 12 64 1");
    program(".pyenv/versions/3.12.11/bin/python3.12", "echo 3 12 64 1");
    program(".local/share/uv/python/cpython-3.14.1-linux/bin/python3.14", "echo 3 14 64 1");
    const interpreter = program("own/bin/python", "echo 3 14 32 1");
    assert.deepEqual(origins(candidates(places({ interpreter }))), [
      "the selected Python interpreter: own/bin/python",
      "PATH: path/python3.13",
      "PATH: path/python3.11",
      "PATH: path/python3",
      "pyenv: .pyenv/versions/3.12.11/bin/python3.12",
      "pyenv: .pyenv/versions/3.12.4/bin/python3.12",
      "uv: .local/share/uv/python/cpython-3.14.1-linux/bin/python3.14",
    ]);
  },
  async "what does not fit is passed over, and why is told"() {
    const interpreter = join(home, "own/bin/python");
    const { python, unfit } = await findPython(places({ interpreter }), home, true);
    assert.equal(python.command, join(home, ".pyenv/versions/3.12.11/bin/python3.12"));
    assert.equal(python.version, "3.12");
    assert.match(unfit[0].reason, /for 32 bits/);
    assert.match(unfit[2].reason, /lacks venv .*python3\.11-venv/);
    assert.equal(unfit[3].reason, "it is Python 3.10");
  },
  async "where uv makes the environment, venv is not needed"() {
    assert.equal((await findPython(places(), home, false)).python.command, join(home, "path/python3.11"));
    assert.equal(findUv(places()), undefined);
    const uv = program(".local/bin/uv", "exit 0");
    assert.equal(findUv(places()), uv);
  },
  async "a Python that the user named is the only one tried"() {
    const setting = join(home, "path/python3");
    const { python, unfit } = await findPython(places({ setting }), home, true);
    assert.equal(python, undefined);
    assert.deepEqual(unfit.map(({ reason }) => reason), ["it is Python 3.10"]);
  },
};
let passed = 0, failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${String(error).slice(0, 600)}`);
  }
}
rmSync(home, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
