/** Tells the server that this client knows its own kinds of semantic tokens: the manifest declares them. */
import type { ClientCapabilities, FeatureState, StaticFeature } from "vscode-languageclient/node";

interface Declared {
  readonly contributes: {
    readonly semanticTokenTypes: readonly { id: string }[];
    readonly semanticTokenModifiers: readonly { id: string }[];
  };
}

export class OwnTokens implements StaticFeature {
  constructor(private readonly manifest: unknown) {}

  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const tokens = capabilities.textDocument?.semanticTokens;
    if (tokens === undefined) {
      return;
    }
    const { semanticTokenTypes, semanticTokenModifiers } = (this.manifest as Declared).contributes;
    tokens.tokenTypes = [...tokens.tokenTypes, ...semanticTokenTypes.map(({ id }) => id)];
    tokens.tokenModifiers = [...tokens.tokenModifiers, ...semanticTokenModifiers.map(({ id }) => id)];
  }

  initialize(): void {}

  getState(): FeatureState {
    return { kind: "static" };
  }

  clear(): void {}
}
