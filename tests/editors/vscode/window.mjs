// VS Code's window with a draft of the sample open, and what a person does in it.
// The command line of the script that imports this: URL WORKSPACE OUT
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { instructed, launch, remote } from "./browser.mjs";

const [url, workspace, out] = process.argv.slice(2);
export const sample = JSON.parse(readFileSync(new URL("../sample.json", import.meta.url), "utf8"));
const draft = join(workspace, sample.draft);
const browser = await launch();
export const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
page.setDefaultTimeout(15_000);

let passed = 0, failed = 0, shots = 0;
export const shot = async name => {
  await page.waitForTimeout(150); // what has just come fades in
  await page.screenshot({ path: `${out}/${String(++shots).padStart(2, "0")}-${name.replace(/\W+/g, "-")}.png` });
};
const only = new RegExp(process.env.LEXLS_ONLY || ".");
export async function check(name, steps) {
  if (shots > 0 && !only.test(name)) return; // the window is opened in any case
  try {
    await steps();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${String(error).split("\n").slice(0, 4).join("\n     ")}`);
  }
  await shot(name);
  if (failed > 0 && process.env.LEXLS_FIRST_FAILURE) await leave();
  await page.keyboard.press("Escape");
}

export async function leave() {
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** What the page shows, spaces as in the file: the editor draws no-break spaces and wraps where it likes. */
export const plain = text => text.replace(/[\u00a0\u200b]/g, " ").replace(/[\u200c\u200d]/g, "");
export const editor = page.locator(".editor-instance .monaco-editor").first();
/** All text that the editor's window shows, lines that are wrapped joined. */
export const shown = async () => plain((await editor.locator(".view-lines .view-line").allInnerTexts()).join(""));
export async function until(what, condition, milliseconds = 15_000) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (await condition()) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`this did not come: ${what}`);
}
export const editorShows = (text, milliseconds) => until(`"${text}" in the editor`, async () => (await shown()).includes(text), milliseconds);

export const quick = page.locator(".quick-input-widget");
export async function command(title) {
  await until(`the command ${title}`, async () => { // what opens late takes the focus, which closes the list
    const patience = { timeout: 5000 };
    await page.keyboard.press("F1");
    return quick.locator("input").first().fill(`>${title}`, patience)
      .then(() => quick.locator(".monaco-list-row.focused", { hasText: title }).waitFor(patience)).then(() => true, () => false);
  }, 60_000);
  await page.keyboard.press("Enter");
}
export async function openFile(path) {
  await page.keyboard.press("Control+p");
  await quick.locator("input").first().fill(path);
  const name = path.split("/").at(-1);
  await quick.locator(".monaco-list-row.focused", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
}
/** Where a text stands in a file, as people count: line and column from 1. */
export function place(path, text) {
  const lines = readFileSync(path, "utf8").split("\n");
  const line = lines.findIndex(each => each.includes(text));
  assert(line >= 0, `${path} has no "${text}"`);
  return { line: line + 1, column: lines[line].indexOf(text) + 1 };
}
export const cursor = page.locator("#status\\.editor\\.selection");
export const goTo = (text, into = 0) => goToIn(draft, text, into);
export async function goToIn(path, text, into = 0) {
  const { line, column } = place(path, text);
  await page.keyboard.press("Control+g");
  await quick.locator("input").first().fill(`:${line}:${column + into}`);
  await quick.locator(".monaco-list-row.focused", { hasText: `line ${line} ` }).waitFor();
  await page.keyboard.press("Enter");
  await quick.waitFor({ state: "hidden" });
  await until(`the cursor on line ${line}`, async () => (await cursor.innerText()).startsWith(`Ln ${line}, Col ${column + into}`));
}

/** The page that lexls shows beside the draft. */
export const shownPage = page.frameLocator("iframe.webview:visible").frameLocator("iframe:visible").locator("body");
export const pageSays = (text, milliseconds) => until(`"${text}" on the page`, async () =>
  plain(await shownPage.innerText({ timeout: 1000 }).catch(() => "")).replace(/\s+/g, " ").includes(text), milliseconds);
/** Types into the box of that title. */
export async function answer(title, text) {
  await quick.filter({ hasText: title }).waitFor();
  await quick.locator("input").first().fill(text);
  await page.keyboard.press("Enter");
}
/** Asks the library a question in a thread of its own. */
export async function ask(question) {
  await command("lexls: Ask the Library");
  const thread = quick.locator(".monaco-list-row", { hasText: "New Thread" });
  await thread.or(quick.locator('input[placeholder^="When is"]')).first().waitFor(); // asked only where there are threads
  if (await thread.isVisible()) await thread.click();
  await answer("Ask the Library", question);
}
/** Chooses from the list that is open. */
export async function choose(text) {
  await quick.locator(".monaco-list-row", { hasText: text }).first().click();
}

export async function closeAll() {
  await command("File: Save All"); // nothing asks whether to
  await until("everything saved", async () => (await page.locator(".tab.dirty").count()) === 0);
  await command("View: Close All Editor Groups");
}

/** The citation that the library lacks is underlined, and the messages are listed. */
export async function diagnosticsAppear(milliseconds) {
  await goTo(sample.diagnostics[0].around);
  await editor.locator(".squiggly-warning, .squiggly-info").first().waitFor({ timeout: milliseconds });
  await command("Problems: Focus on Problems View");
  for (const { message } of sample.diagnostics) {
    await page.locator(".markers-panel .monaco-list-row", { hasText: message }).first().waitFor();
  }
}

/** Opens the window on a draft, which shows these words. */
export async function openWindow(file, words) {
  await page.goto(instructed(url, ["openFile", remote(url, file)]));
  await check("the draft opens", async () => {
    await editorShows(words, 90_000);
    await command("View: Toggle Primary Side Bar Visibility"); // room for the text
  });
}
if (existsSync(draft)) await openWindow(draft, "skeleton argument");
