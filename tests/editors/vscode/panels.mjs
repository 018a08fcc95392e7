// What lexls shows beside a draft: the pages of PDFs. Imported by the script that has driven the window before.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAccessible } from "./axe.mjs";
import { answer, check, closeAll, command, editorShows, goToIn, openFile, page, pageSays, quick, sample, shot, shownPage, until } from "./window.mjs";

const workspace = process.argv[3];
const { draft, text, at, file, words, title } = sample.evidence;

/** What two panels beside each other show: the frame that has such an element. */
async function frameWith(selector) {
  for (const frame of page.frames()) {
    if (await frame.locator(selector).first().isVisible().catch(() => false)) return frame;
  }
  throw new Error(`no panel shows ${selector}`);
}

/** The marked lines of the passage, with the text that stands under each. */
const marked = async () => (await frameWith(".sheets")).locator("body").evaluate(body => {
  const marks = [...body.querySelectorAll(".mark")].map(each => each.getBoundingClientRect());
  const spans = [...body.querySelectorAll(".textLayer span")].filter(each => each.childElementCount === 0);
  const under = box => spans.filter(each => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    return middle > box.top && middle < box.bottom && Math.min(right, box.right) - Math.max(left, box.left) > (right - left) / 2;
  });
  return {
    lines: marks.map(box => under(box).map(each => each.textContent).join("")),
    seen: marks.length > 0 && marks[0].top >= 0 && marks[0].bottom <= innerHeight,
    drawn: [...body.querySelectorAll("canvas")].some(each => {
      const { data } = each.getContext("2d").getImageData(0, 0, each.width, each.height);
      return data.some((value, place) => place % 4 === 0 && value < 100);
    }),
  };
});
const passageIsMarked = () => passageShown(words);
const passageShown = parts => until(`"${parts[0]}" marked on its page`, async () => {
  const { lines, seen, drawn } = await marked().catch(() => ({ lines: [] }));
  const read = lines.join(" ").replace(/\s+/g, " ");
  return seen && drawn && parts.every(each => read.includes(each));
}, 30_000);

await check("a definition in a PDF opens its page with the passage marked", async () => {
  await closeAll();
  writeFileSync(join(workspace, draft), text);
  await openFile(draft);
  await goToIn(join(workspace, draft), at, 2);
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: file }).waitFor();
  await passageIsMarked();
});

await check("the hover's link opens it beside the draft", async () => {
  await command("Go Back");
  await page.locator(".tab.active", { hasText: draft.split("/").at(-1) }).waitFor();
  await goToIn(join(workspace, draft), at, 2);
  await command("Show or Focus Hover");
  const hover = page.locator(".monaco-hover:visible", { hasText: title }).first();
  await hover.waitFor();
  await shot("a hover on a case that is a PDF");
  await hover.locator("a").first().click();
  await page.locator(".tab.active", { hasText: title }).waitFor();
  await passageIsMarked();
  assert(await page.locator(".tab", { hasText: draft.split("/").at(-1) }).isVisible(), "the draft is gone");
});

await check("the pages of a PDF are accessible", async () => isAccessible(await frameWith(".sheets")));

await check("the pages are turned and scaled by keys", async () => {
  const pages = await frameWith(".sheets");
  const width = () => pages.locator(".sheet").first().evaluate(each => each.getBoundingClientRect().width);
  const before = await width();
  await pages.locator(".sheets").focus();
  await page.keyboard.press("+");
  await until("larger pages", async () => (await width()) > before);
  await page.keyboard.press("0");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("p");
  await passageIsMarked();
});

const checked = async () => (await frameWith("header .count")).locator("header .count").innerText();
await check("the findings of a draft are ticked and signed", async () => {
  await closeAll();
  await openFile(sample.draft);
  await command("lexls: Check Before Filing");
  await until("the findings", async () => /^0 of \d+ checked$/.test(await checked().catch(() => "")), 60_000);
  for (const words of sample.filing.shows) await pageSays(words);
  const tick = shownPage.getByRole("checkbox", { name: "Finding 1 checked", exact: true });
  await tick.click();
  assert.match(await checked(), /initials/, "signed by nobody");
  await shownPage.getByLabel("Your initials").fill("R.P.");
  await tick.focus();
  await page.keyboard.press("Space");
  await until("one signed", async () => (await checked()).startsWith("1 of "));
});

await check("the page of findings is accessible", async () => isAccessible(await frameWith("article")));

await check("a finding leads to the draft and to its authority", async () => {
  await (await frameWith("article")).locator("article", { hasText: sample.filing.pdf }).locator("blockquote a").first().click();
  await passageShown(sample.filing.passage);
  await page.locator(".tab", { hasText: "Check: " }).click();
  await (await frameWith("article")).getByRole("button", { name: /^line \d+/ }).first().click();
  await page.locator(".tab.active", { hasText: sample.draft.split("/").at(-1) }).first().waitFor(); // the page is named so, too
});

await check("what was signed is kept, and exported", async () => {
  await closeAll();
  await openFile(sample.draft);
  await command("lexls: Check Before Filing");
  await until("the signature", async () => (await checked().catch(() => "")).startsWith("1 of "), 60_000);
  for (const [button, file] of [["Export as HTML…", "checked.html"], ["Export as PDF…", "checked.pdf"]]) {
    await shownPage.getByRole("button", { name: button }).click();
    const name = quick.filter({ hasText: "Check Before Filing" }).locator("input").first();
    await until("the name that is proposed", async () => (await name.inputValue()).includes(" checked."));
    await name.fill(join(workspace, file));
    await quick.locator(".monaco-list-row", { hasText: "slips" }).waitFor(); // what lies in that folder
    await quick.getByRole("button", { name: "OK" }).click();
    await until(`${file}`, () => existsSync(join(workspace, file)), 60_000);
  }
  assert.match(readFileSync(join(workspace, "checked.html"), "utf8"), /☑<\/span> Checked by R\.P\., \d+ \w+ \d{4}/);
  assert.equal(readFileSync(join(workspace, "checked.pdf")).subarray(0, 5).toString(), "%PDF-");
});

async function askTheLibrary() {
  await closeAll();
  await openFile(draft);
  await goToIn(join(workspace, draft), "Privilege attaches");
  await command("lexls: Ask the Library");
  const thread = quick.locator(".monaco-list-row", { hasText: "New Thread" });
  await thread.or(quick.locator('input[placeholder^="When is"]')).first().waitFor(); // asked only where there are threads
  if (await thread.isVisible()) await thread.click();
  await answer("Ask the Library", sample.ask.question);
  await shownPage.getByRole("link", { name: "Insert with citation" }).first().waitFor();
}
await check("an answer is accessible", async () => {
  await askTheLibrary();
  await isAccessible(await frameWith("h2"));
});

await check("a sentence of an answer is put into the draft with its citation", async () => {
  await shownPage.getByRole("link", { name: "Insert with citation" }).first().click();
  await editorShows(sample.insertion);
});
