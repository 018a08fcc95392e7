// usage: node drafting.mjs URL WORKSPACE OUT   what lexls does for somebody who writes
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  check, command, cursor, diagnosticsAppear, editor, editorShows, goTo, leave, openFile, page, place, plain, quick, sample, shot,
  shown, until,
} from "./window.mjs";

const workspace = process.argv[3];

await check("diagnostics appear", () => diagnosticsAppear(60_000));

async function hoverShowsTheAuthority() {
  await command("View: Focus Active Editor Group");
  await goTo(sample.hover.at, 2);
  await command("Show or Focus Hover");
  const hover = page.locator(".monaco-hover:visible", { hasText: sample.hover.shows.at(-1) }).first();
  await hover.waitFor({ timeout: 5000 });
  const text = plain(await hover.innerText()).replace(/\s+/g, " ");
  for (const part of sample.hover.shows) assert(text.includes(part), `no "${part}" in the hover: ${text}`);
}
await check("hover shows the authority", hoverShowsTheAuthority);

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

async function takeBack() {
  await page.keyboard.press("Control+z");
  await until("the citation gone", async () => !(await shown()).includes(sample.support.inserts));
}
await check("the light bulb finds support too", async () => {
  await takeBack();
  await goTo(sample.support.at, 10);
  await page.keyboard.press("Control+.");
  const menu = page.locator(".action-widget", { hasText: sample.support.action });
  await menu.waitFor();
  await shot("the light bulb's menu");
  await menu.locator(".monaco-list-row", { hasText: sample.support.action }).first().click();
  await editorShows(sample.support.inserts);
  await takeBack();
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

await check("a hint says what ibid stands for, and tells more when pointed at", async () => {
  await openFile(sample.draft);
  await goTo(sample.hints.behind);
  await editorShows(sample.hints.label);
  await editor.locator(".view-line span", { hasText: sample.hints.label }).last().hover();
  const hover = page.locator(".monaco-hover:visible", { hasText: sample.hints.tells }).first();
  await hover.waitFor({ timeout: 5000 });
});

await check("names, citations and pinpoints are coloured", async () => {
  await page.mouse.move(5, 5);
  await goTo(sample.lens.above); // near it: brackets at the cursor are drawn apart
  const lines = editor.locator(".view-lines"); // a citation may be wrapped anywhere
  const colours = async () => {
    const pieces = await lines.locator(".view-line > span > span").evaluateAll(spans =>
      spans.map(span => [span.textContent.replace(/\u00a0/g, " "), getComputedStyle(span).color]));
    // Brackets may be pieces of their own.
    return [/ASC 12$/, /^\[?23\]?$/, /^[ .:]*at $|does not discharge/].map(words => pieces.find(([piece]) => words.test(piece))?.[1]);
  };
  let found = [];
  try {
    await until("three colours", async () => {
      found = await colours();
      return !found.includes(undefined) && new Set(found).size === 3;
    });
  } catch (error) {
    throw new Error(`${error.message}, but ${found.join("; ")}`);
  }
});

await check("a lens counts authorities and opens the picker", async () => {
  const settings = join(workspace, "lexls.toml"), before = readFileSync(settings, "utf8");
  writeFileSync(settings, `codeLens.enabled = true\n${before}`);
  await goTo(sample.lens.above);
  const lens = editor.locator(".codelens-decoration a", { hasText: sample.lens.says }).first();
  await lens.waitFor();
  await shot("code lenses");
  await lens.click();
  await quick.locator(".monaco-list-row").first().waitFor();
  await page.keyboard.press("Escape");
  writeFileSync(settings, before);
  await lens.waitFor({ state: "hidden" });
});

await check("a defined term is renamed", async () => {
  writeFileSync(join(workspace, sample.note.draft), sample.note.text);
  await openFile(sample.note.draft);
  await page.keyboard.press("Control+g");
  await quick.locator("input").first().fill(":3:20");
  await page.keyboard.press("Enter");
  await quick.waitFor({ state: "hidden" });
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.waitFor();
  assert.equal(await input.inputValue(), "Act");
  await input.fill(sample.note.name);
  await shot("a new name");
  await page.keyboard.press("Enter");
  for (const line of sample.note.becomes.trim().split("\n\n")) await editorShows(line);
  await page.keyboard.press("Control+z");
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
  assert(!(await text.innerText()).includes("file:"), "the preview shows the address of a file");
});

await check("the status says that it is ready", async () => {
  await page.locator(".tab", { hasText: sample.draft.split("/").at(-1) }).click();
  await page.locator("#status\\.languageStatus").click();
  await until("the status", async () =>
    /lexls: ready/.test(plain((await page.locator(".monaco-hover:visible").allInnerTexts()).join(" "))));
});

await check("after a restart the server answers", async () => {
  await command("lexls: Restart Server");
  await until("the hover", () => hoverShowsTheAuthority().then(() => true, () => false), 60_000);
});

await leave();
