/** Which documents are drafts. */
import { languages, type TextDocument } from "vscode";
import { LANGUAGES } from "./languages";

export const DRAFTS = LANGUAGES.flatMap(language => [
  { scheme: "file", language },
  { scheme: "untitled", language },
]);

export function isDraft(document: TextDocument): boolean {
  return languages.match(DRAFTS, document) > 0;
}
