// usage: node host.mjs URL EXTENSION TESTS OUT   runs a test module inside the extension host of a VS Code server
import { instructed, launch, remote } from "./browser.mjs";

const [url, extension, tests, out] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.on("console", message => {
  const text = message.text(), at = text.indexOf("TEST ");
  if (at >= 0) console.log(text.slice(at + 5).split(" color:")[0]);
  else if (process.env.LEXLS_VERBOSE) console.log(message.type(), text.slice(0, 300));
});
let finish;
const finished = new Promise(resolve => { finish = resolve; });
await page.exposeFunction("codeAutomationLog", () => {});
await page.exposeFunction("codeAutomationExit", finish);
await page.goto(instructed(url,
  ["extensionDevelopmentPath", remote(url, extension)], ["extensionTestsPath", remote(url, tests)],
  ["enableProposedApi", ""], ["skipWelcome", "true"]));
const limit = new Promise(resolve => { setTimeout(resolve, 240_000, "no end after 240 s"); });
const status = await Promise.race([finished, limit]);
await page.screenshot({ path: `${out}/end.png` }).catch(() => {});
await browser.close();
if (status !== 0) console.log(`extension host: ${status}`);
process.exit(status === 0 ? 0 : 1);
