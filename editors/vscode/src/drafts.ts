/** Which documents are drafts. */
import { LANGUAGES } from "./languages";

export const DRAFTS = LANGUAGES.flatMap(language => [
  { scheme: "file", language },
  { scheme: "untitled", language },
]);
