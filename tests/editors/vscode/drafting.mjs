// usage: node drafting.mjs URL WORKSPACE OUT   what lexls does for somebody who writes
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { isAccessible } from "./axe.mjs";
import {
  answer, check, choose, closeAll, command, cursor, diagnosticsAppear, editor, editorShows, goTo, leave, openFile, page, pageSays, place,
  plain, quick, sample, shot, shown, shownPage, until,
} from "./window.mjs";

const workspace = process.argv[3];
const slowModel = fileURLToPath(new URL("../slow_model.py", import.meta.url));

await check("diagnostics appear", () => diagnosticsAppear(60_000));

// What VS Code itself counts in its own item of the status bar: "Errors: 1, Warnings: 4".
const toCheck = async () => {
  const told = await page.locator("#status\\.problems [aria-label]").first().getAttribute("aria-label");
  return [...(told ?? "").matchAll(/(?:Errors|Warnings): (\d+)/g)].reduce((sum, [, number]) => sum + Number(number), 0);
};
// The same when it no longer changes: drafts that are not open are counted as they are checked.
const settled = async () => {
  let told = await toCheck();
  for (let since = Date.now(); Date.now() - since < 5000;) {
    await page.waitForTimeout(500);
    const now = await toCheck();
    if (now !== told) since = Date.now();
    told = now;
  }
  return told;
};
await check("a finding is ignored where it stands, with a reason", async () => {
  const { around, code } = sample.diagnostics[0];
  await command("View: Focus Active Editor Group");
  const before = await settled();
  await goTo(around, 4);
  await page.keyboard.press("Control+.");
  const row = page.locator(".action-widget .monaco-list-row", { hasText: "Ignore here" }).first();
  await row.waitFor();
  await shot("what mends a finding, or has it ignored");
  await row.click();
  await editorShows(`<!-- lexls: ignore ${code}: reason -->`);
  await page.keyboard.type("a slip opinion");
  await editorShows(`<!-- lexls: ignore ${code}: a slip opinion -->`);
  await until("one less to check", async () => (await toCheck()) === before - 1);
  await page.keyboard.press("Escape");
  await command("File: Revert File");
  await until("all of them again", async () => (await toCheck()) === before, 60_000);
});

await check("a check is ignored in the workspace, by its file", async () => {
  const { around, code } = sample.diagnostics[0];
  const settings = join(workspace, "lexls.toml"), was = readFileSync(settings, "utf8"), before = await settled();
  await goTo(around, 4);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "More…" }).click();
  await quick.locator(".monaco-list-row", { hasText: `Ignore “${code}” in this workspace` }).click();
  await until("the file that says so", () => readFileSync(settings, "utf8").includes(`check = "${code}"`));
  await until("less to check", async () => (await toCheck()) < before);
  writeFileSync(settings, was);
  await until("all of them again", async () => (await toCheck()) === before, 60_000);
  await command("Notifications: Clear All Notifications");
});

await check("behind a sentence its citation is proposed in grey, where that is wanted", async () => {
  const settings = join(workspace, "lexls.toml"), was = readFileSync(settings, "utf8");
  writeFileSync(settings, `completion.inline = true\n${was}`);
  const grey = editor.locator(".ghost-text-decoration, .ghost-text, .ghost-text-decoration-preview");
  await goTo(sample.inline.behind, sample.inline.behind.length);
  await until("what is proposed", async () => { // the server reads the file when it does
    await page.keyboard.type(sample.inline.types);
    const came = await grey.first().waitFor({ timeout: 4000 }).then(() => true, () => false);
    if (!came) for (let each = 0; each < sample.inline.types.length; each++) await page.keyboard.press("Backspace");
    return came;
  }, 30_000);
  await shot("a citation proposed in grey");
  await page.keyboard.press("Tab");
  await grey.first().waitFor({ state: "detached" });
  await editorShows(sample.inline.inserts);
  await command("File: Revert File");
  writeFileSync(settings, was);
});

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

await check("the library is a tree that tells what was read", async () => {
  await command("lexls: Focus on Library View");
  const view = page.locator('.pane:has(> .pane-header[aria-label^="Library"])');
  const row = text => view.locator(".monaco-list-row", { hasText: text }).first();
  for (const folder of sample.library.folders) {
    await row(folder).waitFor();
    if ((await row(folder).getAttribute("aria-expanded")) !== "true") await row(folder).click();
  }
  await row(sample.library.shows).waitFor();
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press("ArrowDown"); // it is below the view's edge
  await row(sample.library.shows).hover();
  const told = page.locator(".monaco-hover:visible", { hasText: sample.library.known }).first();
  await told.waitFor();
  assert(plain(await told.innerText()).includes(sample.library.shows));
});

const authorities = page.locator('.pane:has(> .pane-header[aria-label^="Authorities"])');
const listed = text => authorities.locator(".monaco-list-row", { hasText: text }).first();
await check("the draft's authorities are listed, what is missing first", async () => {
  await command("lexls: Focus on Authorities View");
  await listed(sample.authorities.missing).waitFor();
  assert((await listed(sample.authorities.missing).innerText()).includes("missing"));
  const first = plain(await authorities.locator(".monaco-list-row").first().innerText());
  assert(/missing|wrong|finding|overruled/.test(first), `first is ${first}`);
});

// But for what VS Code makes of them: their headers, and rows that show a name and what is said of it without a space.
await check("the views are accessible", async () => {
  for (const name of ["Authorities", "Library"]) {
    await isAccessible(page.mainFrame(), `.pane:has(> .pane-header[aria-label^="${name}"]) .monaco-list`, ["label-content-name-mismatch"]);
  }
});

await check("an authority unfolds, and its place is gone to by key and by mouse", async () => {
  const { title, place } = sample.authorities;
  await listed(title).click();
  const row = listed(place.text);
  if (!(await row.isVisible())) await page.keyboard.press("ArrowRight");
  await row.waitFor();
  await row.click();
  await until(`the cursor on line ${place.line}`, async () => (await cursor.innerText()).startsWith(`Ln ${place.line},`));
  await goTo(sample.hover.at);
  await command("lexls: Focus on Authorities View");
  await row.click({ button: "right" });
  const entry = page.locator(".monaco-menu .action-item", { hasText: "Go to the Citation" });
  await entry.waitFor();
  await shot("what can be done with an authority");
  await entry.click();
  await until(`the cursor on line ${place.line}`, async () => (await cursor.innerText()).startsWith(`Ln ${place.line},`));
  await page.mouse.move(5, 5); // what the row tells goes
});

await check("the list follows the draft, and what is unfolded stays", async () => {
  const { added, place } = sample.authorities;
  await page.keyboard.press("End");
  await page.keyboard.type(` ${added.text}`);
  await listed(added.title).waitFor();
  assert(await listed(place.text).isVisible(), "what was unfolded is folded");
  await command("File: Revert File");
  await listed(added.title).waitFor({ state: "hidden" });
  assert(await listed(place.text).isVisible(), "what was unfolded is folded");
  await command("View: Toggle Primary Side Bar Visibility");
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
  await page.locator(".tab", { hasText: sample.support.file }).waitFor(); // by itself, since the row is the active one
  await until("two editors side by side", async () => (await page.locator(".editor-instance").count()) === 2);
  const beside = page.locator(".editor-instance").nth(1);
  await until("the passage in view", async () =>
    plain((await beside.locator(".view-line").allInnerTexts()).join("")).includes(sample.support.passage));
  await shot("the passage beside the list");
  await page.keyboard.press("Escape");
  await until("the passage put away", async () => (await page.locator(".editor-instance").count()) === 1);
  await command("lexls: Find Supporting Authority");
  await row.hover();
  await row.locator(".codicon-open-preview").click();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".editor-instance").count(), 2, "what was to be kept is gone");
});

await check("the list is narrowed by what is typed, and by a list of what there is", async () => {
  await command("View: Close All Editor Groups");
  await openFile(sample.draft);
  await goTo(sample.support.at, 10);
  await command("lexls: Find Supporting Authority");
  const rows = quick.locator(".monaco-list-row");
  await rows.filter({ hasText: sample.support.offers }).first().waitFor();
  await page.keyboard.type(`${sample.support.without} `);
  await until("the authority gone", async () => (await rows.filter({ hasText: sample.support.offers }).count()) === 0);
  await quick.locator("input").first().fill("");
  await rows.filter({ hasText: sample.support.offers }).first().waitFor();
  await page.keyboard.press("Control+Shift+f");
  await quick.filter({ hasText: "Only authorities of" }).waitFor();
  await page.keyboard.type(sample.support.court);
  await shot("what the library can be narrowed to");
  await page.keyboard.press("Enter");
  await quick.filter({ hasText: "Supporting authority" }).waitFor();
  await rows.filter({ hasText: sample.support.offers }).first().waitFor();
  const typed = await quick.locator("input").first().inputValue();
  assert(typed.includes("court:"), `no condition in "${typed}"`);
});

await check("a quotation and a short form are inserted by their keys, and a citation is copied", async () => {
  await goTo(sample.support.at, 10);
  await command("lexls: Find Supporting Authority");
  const rows = quick.locator(".monaco-list-row");
  await rows.filter({ hasText: sample.support.offers }).first().waitFor();
  await page.keyboard.press("Control+Enter");
  await editorShows(`${sample.support.inserts} (“${sample.support.passage}`);
  await page.keyboard.press("Control+z");
  await goTo(sample.support.short.at, 10);
  await command("lexls: Find Supporting Authority");
  await quick.filter({ hasText: "Supporting authority" }).waitFor();
  await page.keyboard.type(sample.support.short.of);
  await rows.filter({ hasText: "cited in this draft" }).first().waitFor();
  await page.keyboard.press("Shift+Enter");
  await editorShows(sample.support.short.inserts);
  await page.keyboard.press("Control+z");
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
  await quick.locator(".monaco-list-row", { hasText: sample.support.offers }).first().waitFor();
  await page.keyboard.press("Enter");
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
  await quick.locator(".monaco-list-row.focused", { hasText: "line 3 " }).waitFor();
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

await check("an explanation is shown, and its link opens the paragraph", async () => {
  await openFile(sample.draft);
  await goTo(sample.explain.at, 2);
  await command("lexls: Explain Citation at Cursor");
  await page.locator(".tab", { hasText: "Explanation" }).waitFor();
  for (const part of sample.explain.shows) await pageSays(part);
  assert(!(await shownPage.innerText()).includes("file:"), "the page shows the address of a file");
  await shot("an explanation beside the draft");
  await shownPage.getByRole("link", { name: "[23]", exact: true }).first().click();
  await page.locator(".tab.active", { hasText: sample.definition.file.split("/").at(-1) }).waitFor();
  await editorShows(sample.definition.line);
  const { line } = place(join(workspace, sample.definition.file), sample.definition.line);
  await until(`the cursor on line ${line}`, async () => (await cursor.innerText()).startsWith(`Ln ${line},`));
});

await check("find-support explains an authority before it is cited", async () => {
  await closeAll();
  await openFile(sample.draft);
  await goTo(sample.support.at, 10);
  await command("lexls: Find Supporting Authority");
  const row = quick.locator(".monaco-list-row", { hasText: sample.support.offers }).first();
  await row.hover();
  await row.locator(".codicon-comment-discussion").click();
  await page.locator(".tab", { hasText: "Explanation" }).waitFor();
  await pageSays(sample.support.passage);
  assert(await row.isVisible(), "the list is gone");
});

const asked = () => page.locator(".tab", { hasText: sample.ask.question.slice(0, 30) });
await check("the citation graph is drawn, and gone through by keys", async () => {
  await closeAll();
  await openFile(sample.draft);
  await goTo(sample.graph.at, 2);
  await command("lexls: Show Citation Graph");
  await page.locator(".tab", { hasText: "Citation Graph" }).waitFor();
  const node = text => shownPage.locator(".node", { hasText: text }).first();
  await node(sample.graph.by).waitFor();
  assert((await node(sample.graph.by).getAttribute("aria-label")).includes(sample.graph.treatment));
  assert((await node(sample.graph.by).getAttribute("class")).includes("bad"), "nothing warns");
  await shot("a citation graph");
  await shownPage.locator(".node.middle").focus();
  const focused = () => shownPage.locator(".node:focus").getAttribute("aria-label");
  for (let presses = 0; presses < 12 && !(await focused()).includes(sample.graph.by); presses++) {
    await page.keyboard.press(presses === 0 ? "ArrowRight" : "ArrowDown");
  }
  assert((await focused()).includes(sample.graph.by), `the focus is on ${await focused()}`);
  await page.keyboard.press("+");
  await page.keyboard.press("Enter");
  await page.locator(".tab", { hasText: sample.definition.file.split("/").at(-1) }).waitFor();
  await shownPage.locator(".node:focus, .node.middle").first().focus();
  await shownPage.locator("summary").press("Enter");
  await shownPage.locator("details li", { hasText: sample.graph.by }).first().waitFor();
  await shot("the same as a list");
  await closeAll();
});

await check("a question is answered beside the draft", async () => {
  await closeAll();
  await openFile(sample.draft);
  await command("lexls: Ask the Library");
  await answer("Ask the Library", sample.ask.question);
  await asked().waitFor();
  await pageSays(sample.ask.shows);
  await pageSays(sample.ask.question);
});

await check("a link of the answer opens its source at the line", async () => {
  await shownPage.getByRole("link", { name: sample.ask.link }).first().click();
  await page.locator(".tab.active", { hasText: sample.ask.file.split("/").at(-1) }).waitFor();
  const { line } = place(join(workspace, sample.ask.file), sample.ask.line);
  await until(`the cursor on line ${line}`, async () => (await cursor.innerText()).startsWith(`Ln ${line},`));
  assert(await asked().isVisible(), "the answer is gone");
});

await check("a thread is continued from its page", async () => {
  const { question, shows } = sample.ask.further;
  await shownPage.getByRole("link", { name: "Ask further" }).click();
  await answer("Ask Further", question);
  await pageSays(shows);
  await pageSays(sample.ask.shows); // what was answered before stands above
  await until("the new question in view", () => shownPage.locator("h2").last().evaluate(each =>
    each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight));
});

await check("a thread is branched", async () => {
  const { question, shows } = sample.ask.branch;
  await command("lexls: Manage Threads");
  await choose(sample.ask.question);
  await choose("Branch");
  await choose(sample.ask.question);
  await answer("Ask Further", question);
  await pageSays(shows);
  await pageSays(sample.ask.shows);
  const text = plain(await shownPage.innerText());
  assert(!text.includes(sample.ask.further.question), "the other branch is on the page");
  await command("lexls: Manage Threads");
  await quick.locator(".monaco-list-row", { hasText: sample.ask.question }).filter({ hasText: "3 questions" }).waitFor();
  await page.keyboard.press("Escape");
});

await check("where the library does not answer, that is said", async () => {
  await command("lexls: Ask the Library");
  await choose("New Thread");
  await answer("Ask the Library", sample.ask.unanswered.question);
  await pageSays(sample.ask.unanswered.shows);
});

await check("a thread is deleted", async () => {
  await command("lexls: Manage Threads");
  await choose(sample.ask.question);
  await choose("Delete");
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Delete" }).click();
  await command("lexls: Manage Threads");
  const rows = quick.locator(".monaco-list-row");
  await rows.filter({ hasText: sample.ask.unanswered.question }).waitFor();
  assert.equal(await rows.count(), 1);
  await page.keyboard.press("Escape");
});

await check("contrary authority is shown", async () => {
  await closeAll();
  writeFileSync(join(workspace, sample.contrary.draft), sample.contrary.text);
  await openFile(sample.contrary.draft);
  await command("lexls: Show Contrary Authority");
  await page.locator(".tab", { hasText: "Contrary Authority" }).waitFor();
  await pageSays(sample.contrary.shows);
});

await check("a supported sentence is drafted", async () => {
  await closeAll();
  await openFile(sample.draft);
  await goTo(sample.drafted.at, 10);
  await command("lexls: Draft a Supported Sentence");
  await editorShows(sample.drafted.inserts);
  await page.keyboard.press("Control+z");
  await until("it taken back", async () => !(await shown()).includes(sample.drafted.inserts));
});

await check("the light bulb drafts, too", async () => {
  await goTo(sample.drafted.at, 10);
  await page.keyboard.press("Control+.");
  const menu = page.locator(".action-widget", { hasText: "More…" });
  await menu.waitFor();
  await menu.locator(".monaco-list-row", { hasText: "More…" }).click();
  await quick.locator(".monaco-list-row", { hasText: sample.drafted.action }).click();
  await editorShows(sample.drafted.inserts);
  await page.keyboard.press("Control+z");
});

await check("an answer grows, and is cancelled", async () => {
  const model = spawn(process.env.LEXLS_PYTHON, [slowModel, sample.ask.shows], { stdio: ["ignore", "pipe", "inherit"] });
  const said = [];
  createInterface({ input: model.stdout }).on("line", line => said.push(line));
  // Where a model is belongs to the machine: this is its file of settings.
  const settings = join(dirname(workspace), "data", "Machine", "settings.json");
  try {
    await until("the port of the model", () => said.length === 1);
    const address = `http://127.0.0.1:${said[0]}/v1`;
    const wanted = { "lexls.explain.generator": "openai", "lexls.openai.baseUrl": address, "lexls.openai.model": "slow" };
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify(wanted));
    await until("the question at the model", async () => { // the window sees the file when it does
      await command("lexls: Ask the Library");
      await choose("New Thread");
      await answer("Ask the Library", sample.ask.question);
      return until("it", () => said[1] === "asked", 3000).then(() => true, () => false);
    }, 30_000);
    const busy = page.locator(".notification-list-item", { hasText: "lexls: answering" });
    await busy.waitFor();
    await pageSays(sample.ask.shows);
    await shot("an answer that grows");
    await busy.getByRole("button", { name: "Cancel" }).click();
    await pageSays("You stopped this answer");
    await until("the end of the request", () => said[2] === "hung up");
    await busy.waitFor({ state: "hidden" });
  } finally {
    model.kill();
    writeFileSync(settings, "{}");
  }
});

await check("the status bar says in words what there is, and its menu what can be done", async () => {
  await page.locator(".tab", { hasText: sample.draft.split("/").at(-1) }).click();
  const item = page.locator(".statusbar-item", { hasText: "lexls:" });
  await until("the status", async () => /lexls: \d+ citations?: \d+ /.test(plain(await item.innerText())));
  await item.click();
  await quick.locator(".monaco-list-row", { hasText: "Choose library folders…" }).waitFor();
  await quick.locator(".monaco-list-row", { hasText: "Get the model for search by meaning" }).waitFor();
});

await check("after a restart the server answers", async () => {
  await command("lexls: Restart Server");
  await until("the hover", () => hoverShowsTheAuthority().then(() => true, () => false), 60_000);
});

await check("two keys find support, and check before filing", async () => {
  for (const [key, shows] of [["a", quick.locator(".monaco-list-row", { hasText: sample.support.offers })], ["b", page.locator(".tab", { hasText: "Check: " })]]) {
    await goTo(sample.support.at, 10);
    await page.keyboard.press("Control+k");
    await page.keyboard.press(key);
    await shows.first().waitFor();
    await page.keyboard.press("Escape");
  }
});

await import("./panels.mjs");
await leave();
