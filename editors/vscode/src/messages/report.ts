/** What the page "Check Before Filing" and the extension say to each other. */

/** Who has checked a finding, by initials, and on which day (ISO 8601). */
export interface Signature {
  readonly initials: string;
  readonly day: string;
}

export interface ToReport {
  /** The address of the draft, kept so that the page comes back with the window. */
  readonly draft: string;
  readonly name: string;
  /** The draft's part of the page as `lexls review --report` makes it; empty while it is being made. */
  readonly page: string;
  readonly busy: boolean;
  /** The names of opponents' briefs that the page compares the draft with. */
  readonly against: readonly string[];
  /** By the names of findings. */
  readonly signed: Readonly<Record<string, Signature>>;
  /** What was last signed with. */
  readonly initials: string;
}

export type FromReport =
  /** Signs a finding, or takes that back. */
  | { readonly do: "sign"; readonly finding: string; readonly signature: Signature | null }
  | { readonly do: "open"; readonly address: string }
  /** Goes to a place in the draft, an offset in code points. */
  | { readonly do: "draft"; readonly offset: number }
  | { readonly do: "refresh" | "against" | "html" | "pdf" | "book" | "log" };
