/** The pages of a PDF, with the lines of a passage marked. Everything is drawn here: nothing is loaded but this file. */
import * as pdf from "pdfjs-dist/legacy/build/pdf.min.mjs";
// The part that reads files runs beside it without a thread of its own: a thread's script would need an address.
import * as reader from "pdfjs-dist/legacy/build/pdf.worker.min.mjs";
import type { FromEvidence, PagePassage, ToEvidence } from "../messages/evidence";
import { connect, element, main } from "./common/frame";
import "./evidence.css";

Object.assign(globalThis, { pdfjsWorker: reader });
/** Where lies what few files need: readers of two kinds of pictures, and the fonts that a file may leave to whoever shows it. */
const FOLDER = new URL(".", (document.currentScript as HTMLScriptElement).src).href;
/** Fonts by which a system is known to have those that files do not bring with them. */
const SYSTEM_FONTS = ["Arial", "Helvetica", "Liberation Sans", "Nimbus Sans"].map(name => `local("${name}")`).join();
const ZOOM = { step: 1.2, least: 0.3, most: 5 };
/** Pages so far from what is seen are drawn, too; those further off are let go. */
const NEAR = "1500px";

const heading = element("h1");
const number = element("input", { type: "number", min: "1", "aria-label": "Page" });
const count = element("span");
const said = element("p", { class: "unseen", role: "status" });
const passageButton = button("Passage", "Passage (p)", () => toPassage());
const bar = element(
  "div",
  { class: "bar", role: "toolbar", "aria-label": "Pages" },
  button("‹", "Page before (←)", () => turn(-1)),
  element("label", {}, "Page ", number, " of ", count),
  button("›", "Next page (→)", () => turn(1)),
  passageButton,
  button("−", "Smaller (-)", () => zoom(1 / ZOOM.step)),
  button("+", "Larger (+)", () => zoom(ZOOM.step)),
  button("Fit width", "Fit width (0)", () => fit()),
);
const sheets = element("div", { class: "sheets", role: "document", tabindex: "0" });
main.append(element("header", {}, heading, bar, said), sheets);

/** A page in its place, fetched and drawn when it comes near to what is seen: a file may have thousands. */
interface Sheet {
  readonly number: number;
  readonly at: HTMLElement;
  /** In points; as large as another page until it is fetched. */
  width: number;
  height: number;
  isNear: boolean;
  page: pdf.PDFPageProxy | undefined;
  drawing: pdf.RenderTask | undefined;
}

let loaded: { readonly file: string; readonly document: pdf.PDFDocumentProxy } | undefined;
let sheetList: readonly Sheet[] = [];
let sheetOf: ReadonlyMap<Element, Sheet> = new Map();
let scale = 1;
/** Whether pages are as wide as the window, whatever that is. */
let fits = true;
let shown: ToEvidence | undefined;
/** Messages are worked on one after another. */
let last: Promise<void> = Promise.resolve();

const near = new IntersectionObserver(
  entries => {
    for (const { target, isIntersecting } of entries) {
      const sheet = sheetOf.get(target);
      if (sheet !== undefined) {
        sheet.isNear = isIntersecting;
        (isIntersecting ? draw : erase)(sheet);
      }
    }
  },
  { root: sheets, rootMargin: NEAR },
);

const { send, keep } = connect<ToEvidence, FromEvidence, string>(message => {
  last = last.then(() => show(message)).catch((error: unknown) => fail(String(error)));
});

async function show(message: ToEvidence): Promise<void> {
  heading.textContent = message.title;
  sheets.setAttribute("aria-label", message.title);
  if (message.bytes !== undefined && message.file !== loaded?.file) {
    await load(message.file, message.bytes);
  }
  shown = message;
  keep(message.place);
  for (const mark of sheets.querySelectorAll(".mark")) {
    mark.remove();
  }
  for (const page of message.pages) {
    mark(page);
  }
  passageButton.hidden = message.pages.length === 0;
  toPassage();
  const where = `${message.title}, page ${message.page}.`;
  said.textContent = message.pages.length > 0 ? `${where} ${message.passage}` : `${where} The passage is not marked.`;
}

async function load(file: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  near.disconnect();
  await loaded?.document.loadingTask.destroy();
  const document = await pdf.getDocument({
    data: bytes,
    useWasm: false,
    wasmUrl: FOLDER,
    enableXfa: false,
    useSystemFonts: await hasSystemFonts(),
    BinaryDataFactory: BundledFonts,
  }).promise;
  loaded = { file, document };
  const first = (await document.getPage(1)).getViewport({ scale: 1 });
  sheetList = Array.from({ length: document.numPages }, (_, index) => ({
    number: index + 1,
    at: element("section", { class: "sheet", "aria-label": `Page ${index + 1}` }),
    width: first.width,
    height: first.height,
    isNear: false,
    page: undefined,
    drawing: undefined,
  }));
  sheetOf = new Map(sheetList.map(sheet => [sheet.at, sheet]));
  sheets.replaceChildren(...sheetList.map(({ at }) => at));
  count.textContent = String(document.numPages);
  number.max = String(document.numPages);
  fit();
  for (const { at } of sheetList) {
    near.observe(at);
  }
}

async function hasSystemFonts(): Promise<boolean> {
  return new FontFace("lexls", SYSTEM_FONTS).load().then(
    () => true,
    () => false,
  );
}

/** Gives pdf.js the standard fonts: modules, as nothing may be fetched here. */
class BundledFonts {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const font = (await import(`${FOLDER}fonts/${filename.replace(/\.\w+$/, "")}.js`)) as { readonly default: Uint8Array };
    return font.default.slice(); // what it is given, it may give away
  }
}

/** Marks the lines of the passage on a page, in parts of the page's width and height. */
function mark({ page, width, height, boxes }: PagePassage): void {
  const sheet = sheetList[page - 1];
  if (sheet === undefined) {
    return;
  }
  resize(sheet, width, height);
  for (const [left, bottom, right, top] of boxes) {
    const line = element("div", { class: "mark" });
    line.style.left = `${(100 * left) / width}%`;
    line.style.top = `${(100 * (height - top)) / height}%`;
    line.style.width = `${(100 * (right - left)) / width}%`;
    line.style.height = `${(100 * (top - bottom)) / height}%`;
    sheet.at.append(line);
  }
}

function toPassage(): void {
  const first = sheets.querySelector(".mark");
  if (first !== null) {
    const { top, height } = sheets.getBoundingClientRect();
    sheets.scrollTop += first.getBoundingClientRect().top - top - height / 4;
  } else if (shown !== undefined) {
    goTo(shown.page);
  }
}

// -- sizes ------------------------------------------------------------------------------------------------------------

function fit(): void {
  fits = true;
  size((sheets.clientWidth - 24) / sheetList.reduce((widest, { width }) => Math.max(widest, width), 1));
}

function zoom(by: number): void {
  fits = false;
  size(scale * by);
}

/** Gives all pages their sizes, what stands in the middle staying there, and draws again those that are near. */
function size(to: number): void {
  scale = Math.min(ZOOM.most, Math.max(ZOOM.least, to));
  const middle = (sheets.scrollTop + sheets.clientHeight / 2) / Math.max(1, sheets.scrollHeight);
  for (const sheet of sheetList) {
    place(sheet);
    if (erase(sheet)) {
      draw(sheet);
    }
  }
  sheets.scrollTop = middle * sheets.scrollHeight - sheets.clientHeight / 2;
}

function place({ at, width, height }: Sheet): void {
  at.style.width = `${width * scale}px`;
  at.style.height = `${height * scale}px`;
  at.style.setProperty("--total-scale-factor", String(scale));
}

/** Gives one page its own size, once that is known; the browser keeps what is seen where it is. */
function resize(sheet: Sheet, width: number, height: number): void {
  if (sheet.width === width && sheet.height === height) {
    return;
  }
  Object.assign(sheet, { width, height });
  if (fits && width * scale > sheets.clientWidth) {
    fit();
  } else {
    place(sheet);
  }
}

new ResizeObserver(() => {
  if (fits && sheetList.length > 0 && sheets.clientWidth > 0) {
    fit();
  }
}).observe(sheets);

// -- drawing ----------------------------------------------------------------------------------------------------------

function draw(sheet: Sheet): void {
  paint(sheet).catch((error: unknown) => {
    // What was let go of meanwhile ends so, too.
    if (sheet.isNear && sheet.at.isConnected) {
      fail(`page ${sheet.number}: ${String(error)}`);
    }
  });
}

async function paint(sheet: Sheet): Promise<void> {
  const page = await loaded?.document.getPage(sheet.number);
  if (page === undefined || !sheet.isNear || sheet.drawing !== undefined) {
    return;
  }
  sheet.page = page;
  const { width, height } = page.getViewport({ scale: 1 });
  resize(sheet, width, height);
  const pixels = globalThis.devicePixelRatio || 1;
  const viewport = page.getViewport({ scale });
  const canvas = element("canvas", { "aria-hidden": "true" });
  canvas.width = Math.floor(viewport.width * pixels);
  canvas.height = Math.floor(viewport.height * pixels);
  const container = element("div", { class: "textLayer" });
  sheet.at.prepend(canvas, container);
  const transform = pixels === 1 ? undefined : [pixels, 0, 0, pixels, 0, 0];
  const drawing = page.render({ canvas, viewport, ...(transform && { transform }) });
  sheet.drawing = drawing;
  try {
    await drawing.promise;
    await new pdf.TextLayer({ textContentSource: page.streamTextContent(), container, viewport }).render();
  } catch (error) {
    if (sheet.drawing === drawing) {
      throw error;
    }
  }
}

/** Lets go of the picture of a page; whether there was one. */
function erase(sheet: Sheet): boolean {
  const { drawing, at } = sheet;
  sheet.drawing = undefined;
  drawing?.cancel();
  for (const drawn of at.querySelectorAll("canvas, .textLayer")) {
    drawn.remove();
  }
  if (!sheet.isNear) {
    sheet.page?.cleanup(); // its pictures take room, too
  }
  return drawing !== undefined;
}

// -- keys -------------------------------------------------------------------------------------------------------------

function current(): number {
  const top = sheets.getBoundingClientRect().top + sheets.clientHeight / 3;
  const at = sheetList.findIndex(sheet => sheet.at.getBoundingClientRect().bottom > top);
  return at < 0 ? sheetList.length : at + 1;
}

function goTo(page: number): void {
  const sheet = sheetList[Math.min(sheetList.length, Math.max(1, page)) - 1];
  if (sheet !== undefined) {
    sheets.scrollTop += sheet.at.getBoundingClientRect().top - sheets.getBoundingClientRect().top - 8;
  }
}

function turn(by: number): void {
  goTo(current() + by);
}

sheets.addEventListener("scroll", () => {
  if (document.activeElement !== number) {
    number.value = String(current());
  }
});
number.addEventListener("change", () => goTo(Number(number.value)));

const KEYS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => turn(-1),
  ArrowRight: () => turn(1),
  p: toPassage,
  "+": () => zoom(ZOOM.step),
  "-": () => zoom(1 / ZOOM.step),
  "0": fit,
};

addEventListener("keydown", event => {
  const pressed = KEYS[event.key];
  if (pressed !== undefined && event.target !== number && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    pressed();
  }
});

function button(label: string, title: string, pressed: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title.replace(/ \(.*/, "") }, label);
  made.addEventListener("click", pressed);
  return made;
}

function fail(reason: string): void {
  said.textContent = `This file could not be shown: ${reason}`;
  send({ failed: reason });
}
