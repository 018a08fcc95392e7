/** What a page of Markdown and its webview say to each other. */

/** Shows rendered Markdown; `name` and `title` are kept so that the page comes back with the window. */
export interface ToPage {
  readonly html: string;
  readonly name: string;
  readonly title: string;
}

/** A page only shows: its links run commands. */
export type FromPage = never;
