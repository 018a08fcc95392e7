// What lexls shows beside a draft: the pages of PDFs. Imported by the script that has driven the window before.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, closeAll, command, goToIn, openFile, page, sample, shot, shownPage, until } from "./window.mjs";

const workspace = process.argv[3];
const { draft, text, at, file, words, title } = sample.evidence;

/** The marked lines of the passage in the webview that is seen, with the text that stands under each. */
const marked = () => shownPage.evaluate(body => {
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
    refused: performance.getEntriesByType("resource").map(({ name }) => name).filter(name => !/\/dist\/webview\//.test(name)),
  };
});
async function passageIsMarked() {
  await until("the passage marked on its page", async () => {
    const { lines, seen, drawn } = await marked().catch(() => ({ lines: [] }));
    const read = lines.join(" ").replace(/\s+/g, " ");
    return seen && drawn && words.every(each => read.includes(each));
  }, 30_000);
}

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

await check("the pages are turned and scaled by keys", async () => {
  const width = () => shownPage.locator(".sheet").first().evaluate(each => each.getBoundingClientRect().width);
  const before = await width();
  await shownPage.locator(".sheets").focus();
  await page.keyboard.press("+");
  await until("larger pages", async () => (await width()) > before);
  await page.keyboard.press("0");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("p");
  await passageIsMarked();
});
