// A headless Chromium that looks for no host but this one.
import { createRequire } from "node:module";
import { join } from "node:path";

/** playwright-core lies in the folder of installed tools, outside of the repository. */
const { chromium } = createRequire(join(process.env.LEXLS_RIG_DIR, "vscode", "package.json"))("playwright-core");

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
});

/** A page's address with instructions for VS Code, such as which file to open. */
export function instructed(url, ...instructions) {
  return `${url}&payload=${encodeURIComponent(JSON.stringify(instructions))}`;
}

/** The address under which the window knows a file of this machine. */
export const remote = (url, path) => `vscode-remote://${new URL(url).host}${path}`;
