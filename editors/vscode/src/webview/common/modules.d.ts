/** Styles are bundled beside the script that imports them. */
declare module "*.css";

/** The part of pdf.js that reads files; it is handed on whole. */
declare module "pdfjs-dist/legacy/build/pdf.worker.min.mjs";

declare module "pdfjs-dist/legacy/build/pdf.min.mjs" {
  export * from "pdfjs-dist";
}
