// An American brief beside opinions without page marks, a code and contracts, as ../shared/matters/streamlocker lays them
// out: what a lawyer expects at each place of it (expected.md there). Imported by a script whose window has it open.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ask, check, choose, command, cursor, editor, goToIn, openFile, page, pageSays, plain, quick, shot, shownPage, until,
} from "./window.mjs";

const brief = join(process.argv[3], "brief.md");
const goTo = (text, into = 2) => goToIn(brief, text, into);
const lacks = (text, ...parts) => {
  for (const each of parts) assert(!text.includes(each), `"${each}" stands in: ${text}`);
};
const has = (text, ...parts) => {
  for (const each of parts) assert(text.includes(each), `no "${each}" in: ${text}`);
};
/** How other countries write, and what no place is called. */
const FOREIGN = [" p 0", "at 0", " s 1201", "¶ ", "judgment says", " cl ", "24 August"];

/** What the hover at a place says when it says these words, in one line; it is kept as a picture. */
async function hover(at, words, into) {
  await goTo(at, into);
  await command("Show or Focus Hover");
  const shownHover = page.locator(".monaco-hover:visible").first();
  let text = "";
  await until("the words", async () => {
    text = plain(await shownHover.innerText({ timeout: 200 }).catch(() => "")).replace(/\s+/g, " ");
    return words.every(each => text.includes(each));
  }, 5000).catch(() => has(text, ...words));
  lacks(text, ...FOREIGN);
  await shot(`hover ${at}`);
  await page.keyboard.press("Escape");
  return text;
}
const rows = quick.locator(".monaco-list-row");
/** What find-support offers for the sentence at a place, first to last. */
async function support(at) {
  await goTo(at);
  await command("lexls: Find Supporting Authority");
  await quick.filter({ hasText: "Supporting authority" }).waitFor();
  await rows.first().waitFor();
  await page.waitForTimeout(500); // the passage of the first comes beside it
  const texts = (await rows.allInnerTexts()).map(each => plain(each).replace(/\s+/g, " "));
  await shot(`support ${at}`);
  await page.keyboard.press("Escape");
  lacks(texts.join("\n"), ...FOREIGN);
  return texts;
}
async function problems() {
  await command("Problems: Focus on Problems View");
  const listed = page.locator(".markers-panel .monaco-list-row");
  await listed.first().waitFor();
  return (await listed.allInnerTexts()).map(each => plain(each).replace(/\s+/g, " "));
}

await check("a case without page marks shows the passage that its words lead to", async () => {
  await hover("869 F.3d 848, 863", ["Disney Enterprises, Inc. v. VidAngel, Inc.", "found by its words", "August 24, 2017"]);
  await goTo("869 F.3d 848, 863");
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: "VidAngel" }).waitFor();
  await until("a passage, not the first line", async () => !/^Ln [1-5],/.test(await cursor.innerText()));
  await shot("definition of a case without page marks");
  await openFile("brief.md");
});

await check("the two misquotations, the case that is missing and the Act that is codified are found, and nothing else", async () => {
  let found = [];
  // What is missing is told when the whole library is read.
  await until("four findings", async () => {
    found = (await problems()).filter(each => each.includes("lexls"));
    return found.length === 4;
  }, 30_000).catch(error => { throw new Error(`${error.message}, but ${found.join("\n")}`); });
  const all = found.join("\n");
  await command("View: Toggle Panel Visibility");
  has(all, "the opinion says “explicitly”", "and", "499 U.S. 340", "where it is codified, is");
  lacks(all, ...FOREIGN);
});

await check("the authorities are listed with their verdicts: what is wrong and missing first, the rest found", async () => {
  await command("lexls: Focus on Authorities View");
  const view = page.locator('.pane:has(> .pane-header[aria-label^="Authorities"])');
  await view.locator(".monaco-list-row", { hasText: "MDY" }).first().waitFor();
  const listed = (await view.locator(".monaco-list-row").allInnerTexts()).map(each => plain(each).replace(/\s+/g, " "));
  const at = name => {
    const found = listed.findIndex(each => each.includes(name));
    assert(found >= 0, `no ${name} among ${listed.join("; ")}`);
    return found;
  };
  for (const name of ["VidAngel", "MDY", "Feist"]) assert(at(name) < at("Corley"), `${name} is behind Corley`);
  lacks(listed[at("Corley")], "finding", "missing");
  assert(!listed.some(each => /^(See|Id)\b/.test(each)), listed.join("; "));
  await shot("the authorities of the brief");
  await command("View: Toggle Primary Side Bar Visibility");
});

await check("a contract is cited as what it is, and opens at its clause", async () => {
  lacks(await hover("Joint Content License Agreement § 3", ["three (3) years", "February 1, 2018"]), "17 U.S.C.", "Copyright");
  await goTo("Joint Content License Agreement § 3");
  await page.keyboard.press("F12");
  await page.locator(".tab.active", { hasText: "AlliedEsports" }).waitFor();
  await pageSays("three (3) years");
  await shot("the clause of a contract");
  await openFile("brief.md");
});

await check("a section of the code is written in the American way", async () => {
  await hover("17 U.S.C. § 1201(a)(1)(A)", ["§ 1201(a)(1)(A)", "No person shall circumvent"]);
});

await check("an Act that is codified is told by where it is", async () => {
  const told = "17 U.S.C. §§ 512, 1201–1205, where it is codified, is";
  assert.equal((await hover("Digital Millennium", [told])).split(told).length, 2, "it is told twice");
});

await check("Id. is what was cited before it", async () => {
  await hover("legal standard. *Id.*", ["A&M Records"], "legal standard. *I".length);
  await hover("*Id.* at 868", ["VidAngel"]);
});

await check("a conversion to the Bluebook changes no byte of a correct brief", async () => {
  await command("lexls: Convert Citations");
  await choose("Bluebook");
  await page.locator(".notification-list-item", { hasText: "0 citations were rewritten" }).first().waitFor();
  await page.mouse.move(5, 5);
  await shot("nothing to convert");
  assert.equal(await page.locator(".tab.dirty").count(), 0);
  await command("Notifications: Clear All Notifications");
});

await check("a name begins with a number, and none with a signal", async () => {
  await goTo("321 Studios v.");
  const pieces = async words => {
    const spans = await editor.locator(".view-lines .view-line > span > span").evaluateAll(all =>
      all.map(each => [each.textContent.replace(/\u00a0/g, " "), getComputedStyle(each).color]));
    return spans.find(([text]) => words.test(text));
  };
  let name, signal, other;
  await until("the names in their colour", async () => {
    [name, signal, other] = [await pieces(/^321 Studios/), await pieces(/\bSee\b/), await pieces(/^Davidson/)];
    return name !== undefined && other !== undefined && name[1] === other[1];
  }).catch(error => { throw new Error(`${error.message}, but ${[name, signal, other].join(" ")}`); });
  assert.notEqual(signal?.[1], name[1]);
  await hover("307 F. Supp. 2d 1085", ["321 Studios v. Metro Goldwyn Mayer Studios, Inc.", "February 19, 2004"]);
});

await check("a note is a pinpoint", async () => {
  await hover("629 F.3d 928, 953 n.16", ["953", "note 16"]);
});

await check("find-support offers what says it, and no page 0", async () => {
  has((await support("A technological protection measure may serve")).join("\n"), "RealNetworks");
  has((await support("Delay in seeking an injunction"))[0], "VidAngel");
  has((await support("StreamLocker's financial hardship"))[0], "VidAngel");
  has((await support("Fair use is never a defense")).slice(0, 2).join("\n"), "RealNetworks");
});

await check("no sentence is drafted that rests on a statute's recital", async () => {
  await goTo("A technological protection measure may serve");
  await command("lexls: Draft a Supported Sentence");
  await page.locator(".tab", { hasText: "Draft" }).waitFor();
  await pageSays("Nothing in the passages found supports this");
  await shot("nothing to draft");
});

await check("nothing that agrees is shown as contrary authority", async () => {
  await goTo("Fair use is never a defense");
  await command("lexls: Show Contrary Authority");
  await page.locator(".tab", { hasText: "Contrary Authority" }).waitFor();
  await pageSays("Nothing in the passages found contradicts this");
  await shot("contrary authority");
  await command("View: Close All Editor Groups");
  await openFile("brief.md");
});

await check("the case that is missing is one quiet finding", async () => {
  const told = "499 U.S. 340 is not in your library";
  assert.equal((await hover("499 U.S. 340", [told])).split(told).length, 2, "it is told twice");
});

await check("after a signal authorities are offered, no ordinals", async () => {
  const offers = page.locator(".suggest-widget:visible .monaco-list-row");
  const labels = async () => (await offers.allInnerTexts()).map(each => plain(each).replace(/\s+/g, " ").trim());
  for (const [typed, first] of [["See ", ""], ["See Cor", "Corley, 273 F.3d at"], ["*321", "321 Studios, 307 F. Supp. 2d at"], ["*Vid", "VidAngel, 869 F.3d at"]]) {
    await goTo("A technological protection measure may serve", 0);
    await page.keyboard.press("End");
    await page.keyboard.type(` ${typed}`);
    let found = [];
    await until("the offers", async () => (found = await labels()).length > 1 && found[0].startsWith(first))
      .catch(error => { throw new Error(`${error.message} after "${typed}", but ${found.join("; ")}`); });
    await shot(`completion after ${typed}`);
    assert(!found.some(each => /^(1st|First|\d+(st|nd|rd|th)\b)/.test(each)), found.join("; "));
    await page.keyboard.press("Escape");
    await command("File: Revert File");
    await until("what was typed gone", async () => (await page.locator(".tab.dirty").count()) === 0);
  }
});

await check("a question is answered by the clause of the contract", async () => {
  await ask("How long is the term of the content license?");
  await pageSays("three (3) years");
  await pageSays("Joint Content License Agreement § 3");
  const answered = plain(await shownPage.innerText());
  assert.equal(answered.split("License Agreement").length, 2, `other contracts, which the brief does not cite, answer too: ${answered}`);
  await shot("the answer");
  await command("View: Close All Editor Groups");
  await openFile("brief.md");
});

await check("before filing each finding stands beside the opinion's words", async () => {
  await command("lexls: Check Before Filing");
  await pageSays("explicitly", 60_000);
  for (const each of ["expressly", "not in your library"]) await pageSays(each);
  await shot("check before filing");
  await command("View: Close All Editor Groups");
  await openFile("brief.md");
});

await check("the table of authorities is an American one", async () => {
  await goTo("### Conclusion");
  await command("lexls: Insert or Update the Table of Authorities");
  await until("the table", async () => (await page.locator(".tab.dirty").count()) === 1);
  await page.keyboard.press("Control+s");
  await until("the table saved", () => readFileSync(brief, "utf8").includes("Table of Authorities"));
  const table = readFileSync(brief, "utf8").match(/\n# Table of Authorities[\s\S]*/)?.[0] ?? "";
  await shot("the table of authorities");
  has(table, "Cases", "Statutes", "Other", "(9th Cir. 2010)", "321 Studios");
  lacks(table, "See Davidson");
});
