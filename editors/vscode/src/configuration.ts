/** The settings that the user made in VS Code, as the server wants them. */
import * as vscode from "vscode";

const SECTION = "lexls";
/** Settings of the extension itself; the server would report them as unknown. */
const OWN = /^(server|trace)\./;

export interface Nested {
  [name: string]: unknown;
}

/**
 * The settings that somebody set, nested by the dots in their keys and without the leading `lexls`.
 *
 * Defaults are left out, although VS Code knows them too: the editor is the last layer, and its defaults would
 * hide what `lexls.toml` says.
 */
export function explicitSettings(keys: readonly string[], scope?: vscode.ConfigurationScope): Nested {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  const settings: Nested = {};
  for (const key of keys) {
    const seen = configuration.inspect(key);
    const levels = [seen?.globalValue, seen?.workspaceValue, seen?.workspaceFolderValue];
    if (levels.some(value => value !== undefined)) {
      // `get`, not the level's value: it leaves out what an untrusted workspace may not set.
      put(settings, key.split("."), configuration.get(key));
    }
  }
  return settings;
}

/** The keys that the manifest declares for the server, without the leading `lexls.`. */
export function serverKeys(manifest: unknown): string[] {
  const { contributes } = manifest as {
    contributes: { configuration: OneOrMany<{ properties: Record<string, unknown> }> };
  };
  const sections = [contributes.configuration].flat();
  return sections
    .flatMap(section => Object.keys(section.properties))
    .map(key => key.slice(SECTION.length + 1))
    .filter(key => !OWN.test(key));
}

type OneOrMany<T> = T | T[];

/** The value at a section such as `lexls` or `lexls.library`; null where nothing is set. */
export function atSection(settings: Nested, section: string): unknown {
  let value: unknown = settings;
  for (const name of section.split(".").slice(1)) {
    value = typeof value === "object" && value !== null ? (value as Nested)[name] : undefined;
  }
  return value ?? null;
}

/** Whether a section that the server asks for is ours. */
export function isOurs(section: string | undefined): section is string {
  return section === SECTION || (section?.startsWith(`${SECTION}.`) ?? false);
}

function put(into: Nested, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) {
    return;
  }
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  into[name] ??= {};
  put(into[name] as Nested, rest, value);
}
