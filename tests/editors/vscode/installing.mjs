// usage: node installing.mjs URL WORKSPACE OUT   a new account: no lexls, no Python, no network at first
// The workspace is a matter with brief.md where that is at hand, else the sample. From the environment: LEXLS_STATE (the
// account's folder: bin is its PATH, pip.conf pip's settings), LEXLS_BASE_PYTHON (a Python that lexls can be installed with).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { remote } from "./browser.mjs";
import {
  check, choose, command, goToIn, leave, openFile, openWindow, page, plain, quick, sample, shot, shownPage, until,
} from "./window.mjs";

const [, workspace] = process.argv.slice(2);
const state = process.env.LEXLS_STATE;
const storage = join(state, "data", "User", "globalStorage", "lexls.lexls");
const brief = join(workspace, "brief.md");
const matter = existsSync(brief) && { file: brief, at: "869 F.3d 848, 863", shows: "VidAngel" };
const draft = matter || { file: join(workspace, sample.draft), at: sample.hover.at, shows: sample.hover.shows[0] };
if (matter) await openWindow(brief, "StreamLocker");

const item = page.locator(".statusbar-item", { hasText: "lexls:" });
const says = async () => plain(await item.innerText().catch(() => ""));
const itemSays = (words, milliseconds) => until(`"${words}" in the status bar`, async () => words.test(await says()), milliseconds);
const toast = words => page.locator(".notification-list-item", { hasText: words }).last();
const offline = is => writeFileSync(join(state, "pip.conf"), is ? "[global]\nproxy = http://127.0.0.1:9\nretries = 0\n" : "");
/** A message, in the centre where it stays. */
async function message(words, milliseconds = 60_000) {
  await until(`the message ${words}`, async () => { // the centre does not open while it is empty
    await command("Notifications: Show Notifications");
    return toast(words).waitFor({ timeout: 2000 }).then(() => true, () => false);
  }, milliseconds);
}
const step = title => page.locator(".getting-started-step", { hasText: title }).first();
/** Opens a step of the walkthrough, which may be open. */
async function openStep(title) {
  await step(title).waitFor();
  if ((await step(title).getAttribute("aria-expanded")) !== "true") await step(title).click();
}
/** Whether a step shows its picture, in which these words stand. */
async function pictureShown(words) {
  const frames = await Promise.all(page.frames().map(frame => frame.locator("svg").filter({ hasText: words }).first().isVisible().catch(() => false)));
  return frames.includes(true);
}
const clear = () => command("Notifications: Clear All Notifications");
async function install() {
  await command("lexls: Install the Server");
}
async function hoverShows(words, milliseconds) {
  await until(`a hover with ${words}`, async () => {
    await goToIn(draft.file, draft.at, 2);
    await command("Show or Focus Hover");
    const hover = page.locator(".monaco-hover:visible").first();
    await hover.waitFor({ timeout: 2000 }).catch(() => {});
    return plain(await hover.innerText({ timeout: 200 }).catch(() => "")).includes(words);
  }, milliseconds);
}
const servers = () => execFileSync("pgrep", ["-f", `${storage}.* -m lexls serve`]).toString().split("\n").filter(Boolean).map(Number);

await check("lexls is missing: the status bar says so, and installing is offered", async () => {
  await itemSays(/not found: install/, 60_000);
  await message("lexls is not installed yet");
});

await check("without Python one message says what is needed, with buttons", async () => {
  await message("lexls is not installed yet");
  await toast("lexls is not installed yet").locator(".monaco-button", { hasText: "Install" }).first().click();
  await message("lexls could not be installed. It needs Python 3.11 to 3.14");
  for (const button of ["Get Python", "Choose Python…"]) {
    await toast("needs Python").locator(".monaco-button", { hasText: button }).waitFor();
  }
  await shot("without Python");
  await clear();
});

symlinkSync(process.env.LEXLS_BASE_PYTHON, join(state, "bin", "python3.11"));
await check("what is not the file that the release was made with is not installed", async () => {
  const extensions = join(state, "extensions");
  const pins = join(extensions, readdirSync(extensions).find(each => each.startsWith("lexls.")), "server", "requirements.txt");
  const before = readFileSync(pins, "utf8");
  writeFileSync(pins, before.replace(/(?<=sha256:)[0-9a-f]{8}/g, "00000000"));
  await install();
  await message("is not the file that this release of lexls was made with", 120_000);
  writeFileSync(pins, before);
  await clear();
});

await check("without a network it says what could not be fetched", async () => {
  offline(true);
  await install();
  await message("could not be fetched: the package index cannot be reached", 120_000);
  await toast("could not be fetched").locator(".monaco-button", { hasText: "Try Again" }).waitFor();
  await shot("without a network");
  offline(false);
  await clear();
});

await check("an installation that is cancelled leaves nothing that is taken for one", async () => {
  await install();
  await message("fetching");
  await toast("fetching").locator(".monaco-button", { hasText: "Cancel" }).click();
  await until("the end of it", () => readdirSync(join(storage, "environments")).length === 0, 60_000);
  await command("lexls: Restart Server");
  await itemSays(/not found: install/, 30_000);
  assert(!existsSync(join(storage, "environment.json")));
  await clear();
});

const began = Date.now();
await check("the walkthrough opens from the status bar", async () => {
  await item.click();
  await choose("Getting started");
  await step("Choose your library").waitFor();
  await until("its picture", () => pictureShown("LIBRARY"));
});

await check("the library is chosen, and lexls installs itself", async () => {
  await openStep("Choose your library");
  await page.locator(".monaco-button", { hasText: "Choose Folders…" }).first().click();
  await quick.locator("input").first().fill(`${join(workspace, "library")}/`);
  await page.waitForTimeout(500);
  await shot("the folder picker");
  await quick.locator(".monaco-button", { hasText: "Use as Library" }).click();
  await message("Installing lexls");
  await shot("installing");
  await page.keyboard.press("Escape");
});

await check("the first hover shows the authority", async () => {
  await page.locator(".tab", { hasText: draft.file.split("/").at(-1) }).first().click();
  await hoverShows(draft.shows, 240_000);
  console.log(`     first useful hover ${((Date.now() - began) / 1000).toFixed(1)} s after the walkthrough was opened`);
});

await check("the status bar counts authorities, and its menu says what can be done", async () => {
  await page.keyboard.press("Escape");
  await itemSays(/\d+ (authorities|citations?: \d+ )/, 120_000);
  await item.click();
  await quick.locator(".monaco-list-row", { hasText: "Choose library folders" }).waitFor();
});

if (matter) {
  await page.keyboard.press("Escape");
  await command("View: Close All Editor Groups");
  await openFile("brief.md");
  await import("./brief.mjs");
}

await check("the status names the environment", async () => {
  await command("lexls: Show Status");
  await until("the managed environment", async () => plain(await shownPage.innerText()).includes("from the managed environment"));
});

await check("a server that is killed is back by itself", async () => {
  const before = servers();
  assert.equal(before.length, 1);
  process.kill(before[0], "SIGKILL");
  await until("another server", () => { try { return servers().some(pid => pid !== before[0]); } catch { return false; } }, 30_000);
  await page.locator(".tab", { hasText: draft.file.split("/").at(-1) }).first().click();
  await hoverShows(draft.shows, 60_000);
});

await check("an environment with another lexls than the extension's is brought in step by itself", async () => {
  await page.keyboard.press("Escape");
  const record = join(storage, "environment.json");
  const read = () => JSON.parse(readFileSync(record, "utf8"));
  const before = read();
  writeFileSync(record, JSON.stringify({ ...before, wheel: "another" }));
  await command("lexls: Restart Server");
  await until("another environment", () => read().folder !== before.folder, 240_000);
  assert.equal(read().wheel, before.wheel);
  await until("its server", () => { try { return servers().length === 1; } catch { return false; } }, 30_000);
  await hoverShows(draft.shows, 60_000);
});

await check("the extension is there at once", async () => {
  await page.keyboard.press("Escape");
  await command("Developer: Show Running Extensions");
  const row = page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "lexls" }).first();
  await row.waitFor();
  console.log(`     activation: ${/Activation: \d+ms|\d+ms/.exec(plain(await row.innerText()))?.[0]}`);
});

await check("the model is fetched from the walkthrough", async () => {
  await command("View: Close All Editors");
  await command("lexls: Open lexls Menu");
  await choose("Getting started");
  await openStep("Search by meaning");
  await shot("walkthrough, the model");
  await page.locator(".monaco-button", { hasText: "Get the Model" }).first().click();
  await message("getting the model");
  await shot("getting the model");
  await step("Search by meaning").locator(".complete").first().waitFor({ timeout: 240_000 });
});

await check("without a library the view says so and offers to choose one", async () => {
  await clear();
  mkdirSync(join(workspace, ".vscode"), { recursive: true });
  writeFileSync(join(workspace, ".vscode", "settings.json"), '{"lexls.library.folders": []}');
  await command("lexls: Focus on Library View");
  const view = page.locator('.pane:has(> .pane-header[aria-label^="Library"])');
  await view.getByText("No library yet").waitFor({ timeout: 60_000 });
  await view.locator(".monaco-list-row", { hasText: "Choose Folders…" }).waitFor();
});

await check("a folder that is dropped on the view becomes the library", async () => {
  const view = page.locator('.pane:has(> .pane-header[aria-label^="Library"])');
  // As the desktop or the Explorer hands it over.
  await view.locator(".monaco-list-row", { hasText: "Or drop folders here" }).evaluate((row, address) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/uri-list", address);
    for (const type of ["dragenter", "dragover", "drop"]) {
      row.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, remote(process.argv[2], join(workspace, "library")));
  await view.locator(".monaco-list-row", { hasText: /^library/ }).waitFor({ timeout: 60_000 });
  assert.deepEqual(JSON.parse(readFileSync(join(workspace, ".vscode", "settings.json"), "utf8")), { "lexls.library.folders": ["library"] });
});

await check("the sample opens in a window of its own, and its draft is checked", async () => {
  const opened = page.context().waitForEvent("page");
  await command("lexls: Open the Sample");
  const window = await opened;
  await window.locator(".tab", { hasText: sample.draft.split("/").at(-1) }).waitFor({ timeout: 90_000 });
  await window.locator(".statusbar-item", { hasText: /lexls: \d+ citations?: \d+ / }).waitFor({ timeout: 120_000 });
  await window.screenshot({ path: join(process.argv[4], "sample.png") });
});

await leave();
