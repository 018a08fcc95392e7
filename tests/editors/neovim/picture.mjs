// usage: node picture.mjs FILE.ansi...   draws captured terminal screens as FILE.png
import { readFileSync } from "node:fs";
import { launch } from "../vscode/browser.mjs";

const BASE = ["#2e3436", "#cc0000", "#4e9a06", "#c4a000", "#3465a4", "#75507b", "#06989a", "#d3d7cf",
  "#555753", "#ef2929", "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#34e2e2", "#eeeeec"];

function palette(n) {
  if (n < 16) return BASE[n];
  if (n >= 232) return `rgb(${Array(3).fill(8 + (n - 232) * 10)})`;
  const level = i => (i === 0 ? 0 : 55 + i * 40), m = n - 16;
  return `rgb(${[level(Math.floor(m / 36)), level(Math.floor(m / 6) % 6), level(m % 6)]})`;
}

/** Applies the numbers of one SGR sequence to a style. Sub-parameters (4:3) come with colons. */
function apply(style, sequence) {
  const numbers = sequence === "" ? ["0"] : sequence.split(";");
  for (let i = 0; i < numbers.length; i++) {
    const [n, sub] = numbers[i].split(":").map(Number);
    if (n === 0) for (const key of Object.keys(style)) delete style[key];
    else if (n === 1) style.bold = true;
    else if (n === 3) style.italic = true;
    else if (n === 4) style.underline = sub === 3 ? "wavy" : sub === 0 ? undefined : "solid";
    else if (n === 7) style.reverse = true;
    else if (n === 22) delete style.bold;
    else if (n === 23) delete style.italic;
    else if (n === 24) delete style.underline;
    else if (n === 27) delete style.reverse;
    else if (n >= 30 && n <= 37) style.fg = BASE[n - 30];
    else if (n >= 90 && n <= 97) style.fg = BASE[n - 82];
    else if (n === 39) delete style.fg;
    else if (n >= 40 && n <= 47) style.bg = BASE[n - 40];
    else if (n >= 100 && n <= 107) style.bg = BASE[n - 92];
    else if (n === 49) delete style.bg;
    else if (n === 38 || n === 48) {
      const key = n === 38 ? "fg" : "bg", kind = numbers[i + 1];
      if (kind === "5") { style[key] = palette(Number(numbers[i + 2])); i += 2; }
      else if (kind === "2") { style[key] = `rgb(${numbers.slice(i + 2, i + 5)})`; i += 4; }
    }
  }
}

function html(ansi, { fg, bg }) {
  const style = {};
  const escape = text => text.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  return ansi.split(/(\x1b\[[\d;:]*m)/).map(part => {
    const sequence = /^\x1b\[([\d;:]*)m$/.exec(part)?.[1];
    if (sequence !== undefined) { apply(style, sequence); return ""; }
    if (part === "") return "";
    const [front, back] = style.reverse ? [style.bg ?? bg, style.fg ?? fg] : [style.fg, style.bg];
    const css = [front && `color:${front}`, back && `background:${back}`, style.bold && "font-weight:bold",
      style.italic && "font-style:italic", style.underline && `text-decoration:underline ${style.underline}`];
    // Every character in a cell of its own, whichever font has it.
    return part.split("\n").map(run => run && `<span style="${css.filter(Boolean).join(";")}">${escape(run)}</span>`).join("\n");
  }).join("");
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
const colours = { fg: "#e0e2ea", bg: "#14161b" };
for (const file of process.argv.slice(2)) {
  await page.setContent(`<body style="margin:0"><pre style="display:inline-block;margin:0;padding:12px;
    font:15px/1.17 'DejaVu Sans Mono',monospace;color:${colours.fg};background:${colours.bg}">${html(readFileSync(file, "utf8").trimEnd(), colours)}</pre>`);
  await page.locator("pre").screenshot({ path: file.replace(/\.ansi$/, ".png") });
}
await browser.close();
