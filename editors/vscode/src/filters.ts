/** What a list of authorities is narrowed by: words typed for it, and a list to choose them from. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import type { Facet, Filter } from "./protocol";

/** A filter and the other words that were typed. */
export interface Typed {
  readonly filter: Filter;
  readonly words: readonly string[];
}

/** What is typed before a colon, and the field that it sets. */
const FIELDS = {
  court: "courts",
  kind: "kinds",
  in: "jurisdictions",
  after: "from",
  before: "to",
} as const;

type Field = keyof typeof FIELDS;

const TOKEN = /(?:(court|kind|in|after|before):)?(?:"([^"]*)"?|(\S+))|(?:court|kind|in|after|before):/gi;

/** Reads `court:"9th Cir." kind:case in:US after:2010 before:2015-03 words`; a name without a value is no filter yet. */
export function readFilter(text: string): Typed {
  const lists = { courts: [] as string[], kinds: [] as string[], jurisdictions: [] as string[] };
  const dates: { from?: string; to?: string } = {};
  const words: string[] = [];
  for (const [, name, quoted, plain] of text.matchAll(TOKEN)) {
    const value = (quoted ?? plain ?? "").trim();
    const field = name === undefined ? undefined : FIELDS[name.toLowerCase() as Field];
    if (value === "") {
      continue;
    }
    switch (field) {
      case undefined:
        words.push(value.toLowerCase());
        break;
      case "from":
      case "to":
        dates[field] = value;
        break;
      case "jurisdictions":
        lists.jurisdictions.push(value.toUpperCase() === value || value.length > 2 ? value : value.toUpperCase());
        break;
      default:
        lists[field].push(field === "kinds" ? value.toLowerCase() : value);
    }
  }
  const filled = Object.entries(lists).filter(([, values]) => values.length > 0);
  return { filter: { ...Object.fromEntries(filled), ...dates }, words };
}

/** `text` with one more condition, behind which words can be typed. */
function withCondition(text: string, name: Field, value: string): string {
  const written = /\s/.test(value) ? `"${value}"` : value;
  return `${text.trim()} ${name}:${written} `.trimStart();
}

interface Choice extends vscode.QuickPickItem {
  readonly value?: string;
}

/** Asks for one more condition; `text` with it, undefined where nothing was chosen. */
export async function chooseCondition(client: LexlsClient, uri: string, text: string): Promise<string | undefined> {
  const facets = await client.execute("lexls.facets", { uri });
  if (facets === null) {
    return undefined;
  }
  const group = (label: string, name: Field, values: readonly Facet[]): Choice[] =>
    values.length === 0
      ? []
      : [
          { label, kind: vscode.QuickPickItemKind.Separator },
          ...values.map(each => ({
            label: each.label,
            description: `${each.count} · ${name}:${each.typed}`,
            value: withCondition(text, name, each.typed),
          })),
        ];
  const { first, last } = facets;
  const dates: Choice[] =
    first === null || last === null
      ? []
      : [
          { label: "date", kind: vscode.QuickPickItemKind.Separator },
          { label: "Decided or made from …", description: `${first} to ${last} · after:`, value: `${text.trim()} after:` },
          { label: "Decided or made until …", description: `${first} to ${last} · before:`, value: `${text.trim()} before:` },
        ];
  const chosen = await vscode.window.showQuickPick(
    [
      ...group("kind", "kind", facets.kinds),
      ...dates,
      ...group("jurisdiction", "in", facets.jurisdictions),
      ...group("court", "court", facets.courts),
      ...(text.trim() === "" ? [] : [{ label: "Everything", description: "no filter", value: "" }]),
    ],
    { title: "Only authorities of …", matchOnDescription: true },
  );
  return chosen?.value?.trimStart();
}
