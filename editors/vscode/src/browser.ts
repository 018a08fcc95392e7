/** Makes a PDF of a page with a browser that this machine has: Chrome, Chromium or Edge, without window and network. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "microsoft-edge"];
const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const WINDOWS = ["Microsoft\\Edge\\Application\\msedge.exe", "Google\\Chrome\\Application\\chrome.exe"];
const MILLISECONDS = 60_000;

/** The browser that makes PDFs here, undefined if there is none. */
export function findBrowser(): string | undefined {
  const { env, platform } = process;
  const paths = (env["PATH"] ?? "").split(delimiter);
  const places =
    platform === "win32"
      ? [env["ProgramFiles(x86)"], env["ProgramFiles"], env["LOCALAPPDATA"]].flatMap(root =>
          root === undefined ? [] : WINDOWS.map(name => join(root, name)),
        )
      : [...(platform === "darwin" ? MAC : []), ...NAMES.flatMap(name => paths.map(path => join(path, name)))];
  return places.find(place => existsSync(place));
}

/** Prints the HTML file `page` into the PDF file `pdf`; an Error where the browser does not. */
export async function printPage(browser: string, page: string, pdf: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), "lexls-print-"));
  try {
    await promisify(execFile)(
      browser,
      [
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        `--user-data-dir=${profile}`,
        // A browser of the superuser has no sandbox; the page is ours and has no script.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--no-pdf-header-footer",
        `--print-to-pdf=${pdf}`,
        pathToFileURL(page).href,
      ],
      { timeout: MILLISECONDS },
    );
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
  if (!existsSync(pdf)) {
    throw new Error("The browser has written no PDF.");
  }
}
