/** The page "Check Before Filing": each finding is ticked and initialled. */
import type { FromReport, Signature, ToReport } from "../messages/report";
import { connect, element, main } from "./common/frame";
import "./report.css";

const heading = element("h1");
const count = element("p", { class: "count", role: "status" });
const initials = element("input", { maxlength: "8", size: "5", autocomplete: "off", id: "initials" });
const open = element("input", { type: "checkbox", id: "open" });
const page = element("div", { class: "page" });
const beside = button("", () => send({ do: "against" }));
main.append(
  element(
    "header",
    {},
    heading,
    element(
      "div",
      { class: "bar" },
      element("label", { for: "initials" }, "Your initials ", initials),
      element("label", { for: "open" }, open, " Only what is not checked yet"),
      button("Check again", () => send({ do: "refresh" })),
      beside,
      button("Export as HTML…", () => send({ do: "html" })),
      button("Export as PDF…", () => send({ do: "pdf" })),
      button("Book of Authorities…", () => send({ do: "book" })),
      button("Export log…", () => send({ do: "log" })),
    ),
    count,
  ),
  page,
);

let signed: Record<string, Signature> = {};

const { send, keep } = connect<ToReport, FromReport, string>(message => {
  heading.textContent = `Check before filing: ${message.name}`;
  keep(message.draft);
  signed = { ...message.signed };
  if (document.activeElement !== initials) {
    initials.value = message.initials;
  }
  beside.textContent =
    message.against.length === 0 ? "Compare with a brief…" : `Compared with ${message.against.join(", ")}…`;
  page.setAttribute("aria-busy", String(message.busy));
  if (message.page === "") {
    page.replaceChildren(element("p", {}, "Reading what the draft cites and quotes…"));
    count.textContent = "";
    return;
  }
  const top = scrollY;
  // The server has written it: what drafts and authorities say is text in it, and no script would run.
  page.innerHTML = message.page;
  for (const place of page.querySelectorAll<HTMLElement>(".where[data-start]")) {
    const offset = Number(place.dataset["start"]);
    const words = place.textContent ?? "";
    const go = button(words, () => send({ do: "draft", offset }));
    go.className = "link";
    go.title = "Go to the draft";
    place.replaceChildren(go);
  }
  let number = 0;
  for (const place of page.querySelectorAll<HTMLElement>(".sign")) {
    offerSignature(place, ++number);
  }
  tell();
  scrollTo(0, top);
});

/** Puts a box to tick and initials in the place that the printed page has for them. */
function offerSignature(place: HTMLElement, number: number): void {
  const finding = place.dataset["finding"] ?? "";
  const tick = element("input", { type: "checkbox", "aria-label": `Finding ${number} checked` });
  const by = element("input", { maxlength: "8", size: "5", "aria-label": `Initials for finding ${number}` });
  const when = element("span");
  const show = () => {
    const signature = signed[finding];
    tick.checked = signature !== undefined;
    by.value = signature?.initials ?? "";
    by.hidden = signature === undefined;
    when.textContent = signature === undefined ? "" : new Date(`${signature.day}T12:00`).toLocaleDateString();
    place.closest("article")?.classList.toggle("done", signature !== undefined);
  };
  const sign = (signature: Signature | null) => {
    if (signature === null) {
      delete signed[finding];
    } else {
      signed[finding] = signature;
    }
    send({ do: "sign", finding, signature });
    show();
    tell();
  };
  tick.addEventListener("change", () => {
    if (!tick.checked) {
      sign(null);
    } else if (initials.value.trim() === "") {
      tick.checked = false;
      count.textContent = "Type your initials first.";
      initials.focus();
    } else {
      sign({ initials: initials.value.trim(), day: today() });
    }
  });
  by.addEventListener("change", () => sign(by.value.trim() === "" ? null : { initials: by.value.trim(), day: today() }));
  place.replaceChildren(element("label", {}, tick, " Checked"), by, when);
  show();
}

/** Says how much is done. */
function tell(): void {
  const all = page.querySelectorAll(".sign").length;
  const done = page.querySelectorAll("article.done").length;
  count.textContent = all === 0 ? "The draft cites and quotes nothing." : `${done} of ${all} checked`;
}

function today(): string {
  const now = new Date();
  const two = (part: number) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

open.addEventListener("change", () => page.classList.toggle("only-open", open.checked));
page.addEventListener("click", event => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (link !== null) {
    event.preventDefault();
    send({ do: "open", address: link.getAttribute("href") ?? "" });
  }
});

function button(label: string, pressed: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, label);
  made.addEventListener("click", pressed);
  return made;
}
