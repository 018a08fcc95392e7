/** What the pages of a PDF and the extension say to each other. */

/** Left, bottom, right and top in points, from the lower left corner of the page as it is shown. */
export type Box = readonly [number, number, number, number];

/** What a page (from 1) shows of a passage, a box for each line; width and height are the page's, in points. */
export interface PagePassage {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

/** Shows a PDF at a passage, in place of what was shown; `bytes` are sent where the PDF is another. */
export interface ToEvidence {
  readonly file: string;
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Where that is, kept so that it is shown again when the window comes back. */
  readonly place: string;
  readonly title: string;
  readonly passage: string;
  readonly page: number;
  readonly pages: readonly PagePassage[];
}

/** Why the file could not be shown, in words. */
export interface FromEvidence {
  readonly failed: string;
}
