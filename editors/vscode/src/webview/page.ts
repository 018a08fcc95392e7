/** A page of rendered Markdown that may grow. */
import type { FromPage, ToPage } from "../messages/page";
import { connect, main } from "./common/frame";
import "./page.css";

const headings = () => [...main.querySelectorAll("h2")];

const { keep } = connect<ToPage, FromPage, ToPage>(page => {
  const before = headings();
  // VS Code's Markdown renderer made it; whatever script it held would not run.
  main.innerHTML = page.html;
  keep(page);
  const now = headings();
  // A question more comes into view; another page is read from its beginning.
  if (now[0]?.textContent !== before[0]?.textContent) {
    scrollTo(0, 0);
  } else if (now.length > before.length) {
    now.at(-1)?.scrollIntoView();
  }
});
