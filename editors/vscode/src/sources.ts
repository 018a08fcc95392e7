/** Addresses of places in authorities: in links that people click, and of the pages of PDFs as editors show them. */
import * as vscode from "vscode";
import type { Location, Middleware } from "vscode-languageclient/node";

/** The command behind a link to a source. */
export const OPEN_SOURCE = "lexls.openSource";
/** The command behind a link that inserts what a source says. */
export const INSERT = "lexls.insertSentence";
/** The scheme of a place that is shown on the page of its PDF. */
export const PAGE_SCHEME = "lexls-page";

/** The readable copies of PDFs, which the server keeps beside its index. */
const COPY = /-views\/\d+\/[^/]+\.pdf\.txt$/i;
const LINK = /(?<=\]\()<(file:[^<>\n]*)>(?=\))/g;

/** Markdown in which links to sources run our command: neither a panel nor a hover opens a file as we want it. */
export function linkSources(markdown: string, { onPage = false } = {}): string {
  return markdown.replace(LINK, (_, address: string) => commandLink(OPEN_SOURCE, address, onPage));
}

/** The target of a link that runs a command. */
export function commandLink(command: string, ...given: readonly unknown[]): string {
  return `<command:${command}?${encodeURIComponent(JSON.stringify(given))}>`;
}

/** The place that an address names, "#L12" or "#L12,5-L12,80" being the lines and columns; an Error for others. */
export function parseAddress(address: string): vscode.Location {
  const uri = vscode.Uri.parse(address, true);
  if (uri.scheme !== "file") {
    throw new Error(`lexls: ${uri.scheme}: is no address of a source.`);
  }
  const [, line = "1", column = "1", lastLine = line, lastColumn = column] =
    /^L(\d+)(?:,(\d+)(?:-L?(\d+),(\d+))?)?/.exec(uri.fragment) ?? [];
  const range = new vscode.Range(Number(line) - 1, Number(column) - 1, Number(lastLine) - 1, Number(lastColumn) - 1);
  return new vscode.Location(uri.with({ fragment: "" }), range);
}

/** The address that the server writes for a place. */
export function writeAddress({ uri, range: { start, end } }: Location): string {
  const [first, last] = [start, end].map(({ line, character }) => `L${line + 1},${character + 1}`);
  return `${uri}#${first}-${last}`;
}

/** Where an editor shows a place: of a PDF its page, not its readable copy. */
export function toPageUri(uri: vscode.Uri, { start, end }: vscode.Range): vscode.Uri {
  if (!COPY.test(uri.path)) {
    return uri;
  }
  const query = [start.line, start.character, end.line, end.character].join(",");
  return uri.with({ scheme: PAGE_SCHEME, path: uri.path.slice(0, -".txt".length), query, fragment: "" });
}

/** The place that `toPageUri` was given. */
export function fromPageUri(uri: vscode.Uri): vscode.Location {
  const [line = 0, character = 0, lastLine = line, lastCharacter = character] = uri.query.split(",").map(Number);
  const copy = uri.with({ scheme: "file", path: `${uri.path}.txt`, query: "", fragment: "" });
  return new vscode.Location(copy, new vscode.Range(line, character, lastLine, lastCharacter));
}

/** Whether a diagnostic says what a hover says: VS Code shows both, one below the other. */
function isUnderlined(document: vscode.TextDocument, position: vscode.Position, hover: vscode.Hover | null | undefined): boolean {
  const said = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ source, range }) => source === "lexls" && range.contains(position));
  return (hover?.contents ?? []).every(content => {
    const words = (typeof content === "string" ? content : content.value).replace(/\\(?=\W)|[*_]/g, "").trim();
    return said.some(({ message }) => message.replace(/[*_]/g, "").includes(words));
  });
}

/** What the client does with answers of the server that lead to sources; `led` is told where definitions lead. */
export const leadToSources = (led: (places: readonly vscode.LocationLink[]) => void) => ({
  provideHover: async (document, position, token, next) => {
    const hover = await next(document, position, token);
    if (isUnderlined(document, position, hover)) {
      return null;
    }
    for (const content of hover?.contents ?? []) {
      if (content instanceof vscode.MarkdownString) {
        content.value = linkSources(content.value);
        content.isTrusted = { enabledCommands: [OPEN_SOURCE] };
      }
    }
    return hover;
  },
  provideDefinition: async (document, position, token, next) => {
    const found = await next(document, position, token);
    const places = found === null || found === undefined ? [] : Array.isArray(found) ? found : [found];
    const links = places.map(place =>
      "targetUri" in place
        ? { ...place, targetUri: toPageUri(place.targetUri, place.targetSelectionRange ?? place.targetRange) }
        : { targetUri: toPageUri(place.uri, place.range), targetRange: place.range },
    );
    led(links);
    return links;
  },
  resolveDocumentLink: async (link, token, next) => {
    const resolved = await next(link, token);
    if (resolved?.target?.scheme === "file") {
      const place = parseAddress(resolved.target.toString());
      resolved.target = COPY.test(place.uri.path) ? toPageUri(place.uri, place.range) : resolved.target;
    }
    return resolved;
  },
}) satisfies Middleware;
