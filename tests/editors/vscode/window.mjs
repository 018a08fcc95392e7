// usage: node window.mjs URL WORKSPACE OUT   types and clicks in VS Code's window as a person would
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instructed, launch, remote } from "./browser.mjs";

const [url, workspace, out] = process.argv.slice(2);
const sample = JSON.parse(readFileSync(new URL("../sample.json", import.meta.url), "utf8"));
const draft = join(workspace, sample.draft);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
page.setDefaultTimeout(15_000);

let passed = 0, failed = 0, shots = 0;
const shot = async name => {
  await page.waitForTimeout(400); // what has just come fades in
  await page.screenshot({ path: `${out}/${String(++shots).padStart(2, "0")}-${name.replace(/\W+/g, "-")}.png` });
};
async function check(name, steps) {
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

async function leave() {
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/** What the page shows, spaces as in the file: the editor draws no-break spaces and wraps where it likes. */
const plain = text => text.replace(/[\u00a0\u200b]/g, " ").replace(/[\u200c\u200d]/g, "");
const editor = page.locator(".editor-instance .monaco-editor").first();
/** All text that the editor's window shows, lines that are wrapped joined. */
const shown = async () => plain((await editor.locator(".view-lines .view-line").allInnerTexts()).join(""));
async function until(what, condition, milliseconds = 15_000) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (await condition()) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`this did not come: ${what}`);
}
const editorShows = (text, milliseconds) => until(`"${text}" in the editor`, async () => (await shown()).includes(text), milliseconds);

const quick = page.locator(".quick-input-widget");
async function command(title) {
  await page.keyboard.press("F1");
  await quick.locator("input").first().fill(`>${title}`);
  await quick.locator(".monaco-list-row.focused", { hasText: title }).waitFor();
  await page.keyboard.press("Enter");
}
async function openFile(path) {
  await page.keyboard.press("Control+p");
  await quick.locator("input").first().fill(path);
  const name = path.split("/").at(-1);
  await quick.locator(".monaco-list-row.focused", { hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
}
/** Where a text stands in a file, as people count: line and column from 1. */
function place(path, text) {
  const lines = readFileSync(path, "utf8").split("\n");
  const line = lines.findIndex(each => each.includes(text));
  assert(line >= 0, `${path} has no "${text}"`);
  return { line: line + 1, column: lines[line].indexOf(text) + 1 };
}
async function goTo(text, into = 0) {
  const { line, column } = place(draft, text);
  await page.keyboard.press("Control+g");
  await quick.locator("input").first().fill(`:${line}:${column + into}`);
  await quick.locator(".monaco-list-row.focused", { hasText: `line ${line} ` }).waitFor();
  await page.keyboard.press("Enter");
  await quick.waitFor({ state: "hidden" });
}
const cursor = page.locator("#status\\.editor\\.selection");

await page.goto(instructed(url, ["openFile", remote(url, draft)]));
await check("the draft opens", async () => {
  await editorShows("skeleton argument", 90_000);
  await command("View: Toggle Primary Side Bar Visibility"); // room for the text
});

await check("diagnostics appear", async () => {
  await goTo(sample.diagnostics[0].around);
  await editor.locator(".squiggly-warning, .squiggly-info").first().waitFor({ timeout: 60_000 });
  await command("Problems: Focus on Problems View");
  for (const { message } of sample.diagnostics) {
    await page.locator(".markers-panel .monaco-list-row", { hasText: message }).first().waitFor();
  }
});

await check("hover shows the authority", async () => {
  await command("View: Focus Active Editor Group");
  await goTo(sample.hover.at, 2);
  await command("Show or Focus Hover");
  const hover = page.locator(".monaco-hover:visible", { hasText: sample.hover.shows[0] }).first();
  await hover.waitFor();
  const text = plain(await hover.innerText()).replace(/\s+/g, " ");
  for (const part of sample.hover.shows) assert(text.includes(part), `no "${part}" in the hover: ${text}`);
});

await check("the picker offers authorities", async () => {
  await command("View: Toggle Panel Visibility"); // the panel with the problems
  await goTo(sample.support.at, 10);
  await command("lexls: Find Supporting Authority");
  const row = quick.locator(".monaco-list-row", { hasText: sample.support.offers }).first();
  await row.waitFor();
  assert.equal(await row.getAttribute("data-index"), "0", "it is not the first");
});

await check("a passage opens beside the draft", async () => {
  await command("lexls: Find Supporting Authority");
  const row = quick.locator(".monaco-list-row", { hasText: sample.support.offers }).first();
  await row.hover();
  await row.locator(".codicon-open-preview").click();
  await page.locator(".tab", { hasText: sample.support.file }).waitFor();
  await until("two editors side by side", async () => (await page.locator(".editor-instance").count()) === 2);
});

await check("find-support inserts a citation", async () => {
  await command("View: Close All Editor Groups");
  await openFile(sample.draft);
  await goTo(sample.support.at, 10);
  await command("lexls: Find Supporting Authority");
  await quick.locator(".monaco-list-row", { hasText: sample.support.offers }).first().waitFor();
  await page.keyboard.press("Enter");
  await editorShows(sample.support.inserts);
});

await check("the light bulb finds support too", async () => {
  await page.keyboard.press("Control+z");
  await until("the citation gone", async () => !(await shown()).includes(sample.support.inserts));
  await goTo(sample.support.at, 10);
  await page.keyboard.press("Control+.");
  const menu = page.locator(".action-widget", { hasText: sample.support.action });
  await menu.waitFor();
  await shot("the light bulb's menu");
  await menu.locator(".monaco-list-row", { hasText: sample.support.action }).first().click();
  await editorShows(sample.support.inserts);
  await page.keyboard.press("Control+z");
});

await check("a completion is accepted", async () => {
  await goTo(sample.completion.after, sample.completion.after.length);
  await page.keyboard.press("Control+Space");
  const row = page.locator(".suggest-widget .monaco-list-row", { hasText: sample.completion.offers }).first();
  await row.waitFor();
  await shot("the completion menu");
  await row.click();
  await editorShows(sample.completion.inserts);
});

await check("go to definition opens the paragraph", async () => {
  await goTo(sample.definition.at, 2);
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: sample.definition.file.split("/").at(-1) }).waitFor();
  await editorShows(sample.definition.line);
  const { line } = place(join(workspace, sample.definition.file), sample.definition.line);
  await until(`the cursor on line ${line}`, async () => (await cursor.innerText()).startsWith(`Ln ${line},`));
});

await check("an explanation is shown", async () => {
  await openFile(sample.draft);
  await goTo(sample.explain.at, 2);
  await command("lexls: Explain Citation at Cursor");
  await page.locator(".tab", { hasText: "Explanation" }).waitFor();
  const text = page.frameLocator("iframe.webview").frameLocator("iframe").locator("body");
  for (const part of sample.explain.shows) {
    await until(`"${part}" in the explanation`, async () => plain(await text.innerText()).includes(part));
  }
});

await check("the status says that it is ready", async () => {
  await page.locator(".tab", { hasText: sample.draft.split("/").at(-1) }).click();
  await page.locator("#status\\.languageStatus").click();
  await until("the status", async () =>
    /lexls: ready/.test(plain((await page.locator(".monaco-hover:visible").allInnerTexts()).join(" "))));
});

await check("after a restart the server answers", async () => {
  await command("lexls: Restart Server");
  await command("View: Focus Active Editor Group");
  await goTo(sample.hover.at, 2);
  await until("the hover", async () => {
    await command("Show or Focus Hover");
    return page.locator(".monaco-hover:visible", { hasText: sample.hover.shows[0] }).first()
      .waitFor({ timeout: 3000 }).then(() => true, () => false);
  }, 60_000);
});

await leave();
