// What lexls shows beside a draft: the pages of PDFs. Imported by the script that has driven the window before.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isAccessible } from "./axe.mjs";
import { longPdf } from "./long_pdf.mjs";
import { ask, check, closeAll, command, editorShows, goTo, goToIn, openFile, page, pageSays, quick, sample, shot, shownPage, until } from "./window.mjs";

const workspace = process.argv[3];
const { draft, text, at, file, words, title } = sample.evidence;

/** What two panels beside each other show: the frame that has such an element. */
async function frameWith(selector) {
  for (const frame of page.frames().slice(1)) { // but for VS Code's own
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

await check("a PDF of a thousand pages is drawn where one looks, rare kinds of pictures too", async () => {
  await closeAll();
  writeFileSync(join(workspace, "long.pdf"), longPdf(1000));
  const began = Date.now();
  await openFile(join(workspace, "long.pdf")); // whole, as the list of files may be older; the settings name its editor
  /** How dark a page is at a point, in parts of its width and height; undefined while it is not drawn. */
  const tone = async (page, x, y) => (await frameWith(".sheets")).locator(".sheet").nth(page - 1).evaluate((sheet, [x, y]) => {
    const canvas = sheet.querySelector("canvas");
    return canvas?.getContext("2d").getImageData(canvas.width * x, canvas.height * y, 1, 1).data[0];
  }, [x, y]);
  await until("the picture in JPEG 2000", async () => (await tone(1, 0.5, 0.5).catch(() => 255)) === 40);
  console.log(`     first of 1,000 pages drawn after ${Date.now() - began} ms`);
  await until("the picture in JBIG2", async () => (await tone(2, 0.7, 0.5)) === 0 && (await tone(2, 0.3, 0.5)) === 255);
  await shot("rare kinds of pictures");
  const number = shownPage.getByRole("spinbutton", { name: "Page" });
  await number.fill("900");
  await number.press("Enter");
  await shownPage.getByText("This is page 900", { exact: true }).waitFor();
  await until("the page in view", () => shownPage.locator(".sheet").nth(899).evaluate(each => {
    const { top } = each.getBoundingClientRect();
    return top > 0 && top < innerHeight / 2;
  }));
  assert.equal(await number.inputValue(), "900");
  // The file leaves Helvetica to whoever shows it: it is the system's, or one that comes with lexls.
  assert(await (await frameWith(".sheets")).evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.endsWith("/LiberationSans-Regular.js"))
    || new FontFace("any", ["Arial", "Helvetica", "Liberation Sans", "Nimbus Sans"].map(name => `local("${name}")`).join()).load().then(() => true, () => false)));
  const drawn = await shownPage.locator("canvas").count();
  assert(drawn < 20, `${drawn} pages are drawn`);
  assert.equal(await shownPage.locator(".sheet").count(), 1000);
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

await check("the brief is reviewed beside an opponent's, and alone again", async () => {
  const { against, text: said, shows } = sample.review;
  const file = against.split("/").at(-1);
  writeFileSync(join(workspace, against), said);
  await page.locator(".tab", { hasText: "Check: " }).click();
  await shownPage.getByRole("button", { name: "Compare with a brief…" }).click();
  await quick.filter({ hasText: "Compare with an Opponent's Brief" }).waitFor();
  await quick.locator(".monaco-list-row", { hasText: file }).click();
  for (const each of shows) await pageSays(each, 60_000);
  await shownPage.getByText(shows[2]).scrollIntoViewIfNeeded();
  await shot("the review beside an opponent's brief");
  await shownPage.getByRole("button", { name: `Compared with ${file}…` }).click();
  await quick.filter({ hasText: "Compare with an Opponent's Brief" }).waitFor();
  await page.keyboard.press("Escape");
  await shownPage.getByRole("button", { name: "Compare with a brief…" }).waitFor({ timeout: 60_000 });
});

await check("what was signed is kept, and exported", async () => {
  await closeAll();
  await openFile(sample.draft);
  await command("lexls: Check Before Filing");
  await until("the signature", async () => (await checked().catch(() => "")).startsWith("1 of "), 60_000);
  for (const [button, file, title, proposed] of [
    ["Export as HTML…", "checked.html", "Check Before Filing", " checked."],
    ["Export as PDF…", "checked.pdf", "Check Before Filing", " checked."],
    ["Export log…", "log.json", "Export the Log of Who Checked What", " log."],
  ]) {
    await shownPage.getByRole("button", { name: button }).click();
    const name = quick.filter({ hasText: title }).locator("input").first();
    await until("the name that is proposed", async () => (await name.inputValue()).includes(proposed));
    await name.fill(join(workspace, file));
    await quick.locator(".monaco-list-row", { hasText: "slips" }).waitFor(); // what lies in that folder
    await quick.getByRole("button", { name: "OK" }).click();
    await until(`${file}`, () => existsSync(join(workspace, file)), 60_000);
  }
  assert.match(readFileSync(join(workspace, "checked.html"), "utf8"), /☑<\/span> Checked by R\.P\., \d+ \w+ \d{4}/);
  assert.equal(readFileSync(join(workspace, "checked.pdf")).subarray(0, 5).toString(), "%PDF-");
  const log = JSON.parse(readFileSync(join(workspace, "log.json"), "utf8"));
  assert.equal(log.ticked + log.ticks_left_out, 1);
});

async function askTheLibrary() {
  await closeAll();
  await openFile(draft);
  await goToIn(join(workspace, draft), "Privilege attaches");
  await ask(sample.ask.question);
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

const pages = [
  ["Check: ", "of ", "header .count"],
  ["Citation Graph", sample.graph.by, ".node"],
  [sample.ask.question.slice(0, 20), sample.ask.shows, "h2"],
  ["Thornbury", "Thornbury", ".sheets"],
];
const tab = words => page.locator(".tab", { hasText: words }).first();
await check("a reload of the window brings all pages back, in a dark theme", async () => {
  await closeAll();
  await openFile(sample.draft);
  await goTo(sample.graph.at, 2);
  await command("lexls: Show Citation Graph");
  await shownPage.locator(".node.middle").waitFor();
  await tab(sample.draft.split("/").at(-1)).click();
  await ask(sample.ask.question);
  await pageSays(sample.ask.shows);
  await tab(sample.draft.split("/").at(-1)).click();
  await command("lexls: Check Before Filing");
  await until("the findings", async () => /^\d+ of \d+ checked$/.test(await checked().catch(() => "")), 60_000);
  await (await frameWith("article")).locator("article", { hasText: sample.filing.pdf }).locator("blockquote a").first().click();
  await passageShown(sample.filing.passage);
  const settings = join(dirname(workspace), "data", "User", "settings.json");
  writeFileSync(settings, readFileSync(settings, "utf8").replace("Light Modern", "Dark Modern"));
  await page.evaluate(() => history.replaceState(null, "", location.href.replace(/&payload=[^&]*/, ""))); // which names a file to open
  await command("Developer: Reload Window");
  await tab("Check: ").waitFor({ timeout: 60_000 });
  for (const [name, words, selector] of pages) {
    await tab(name).click();
    await until(words, () => frameWith(selector)
      .then(async frame => (await frame.locator("body").innerText()).replace(/\s+/g, " ").includes(words), () => false), 60_000);
    await shot(`after a reload: ${words}`);
  }
  await tab("Thornbury").click();
  await passageShown(sample.filing.passage);
});

for (const [name, , selector] of pages) {
  await check(`in a dark theme, too, this page is accessible: ${name}`, async () => {
    await tab(name).click();
    await until("the page", () => frameWith(selector).then(() => true, () => false));
    await isAccessible(await frameWith(selector));
  });
}
