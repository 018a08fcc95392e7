// Accessibility of a page, by axe: nothing serious may be wrong.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** axe lies in the folder of installed tools. */
const script = join(process.env.LEXLS_RIG_DIR, "vscode", "node_modules", "axe-core", "axe.min.js");

/**
 * Fails where axe finds something serious in a frame, in `within` if that is given; all that is found is printed. Of a
 * rule in `but` nothing is asked.
 */
export async function isAccessible(frame, within = "html", but = []) {
  await frame.evaluate(readFileSync(script, "utf8"));
  const { violations } = await frame.evaluate(([selector, but]) => globalThis.axe.run(selector, {
    resultTypes: ["violations"], iframes: false, rules: Object.fromEntries(but.map(rule => [rule, { enabled: false }])),
  }), [within, but]);
  const told = violations.map(({ id, impact, help, nodes }) => `${impact}: ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3).join(" | ")}`);
  for (const each of told) console.log(`     axe: ${each}`);
  assert.deepEqual(told.filter(each => /^(serious|critical):/.test(each)), []);
}
