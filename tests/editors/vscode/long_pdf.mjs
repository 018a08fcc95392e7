// A PDF of many pages: the first two are pictures of kinds that only decoders of their own read, the others say their number.
const SIDE = 200; // of a page, in points
/** A grey square as JPEG 2000. */
const JPX = `/0//UQApAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAAABBwEB/1IADAAAAAEABQQEAAH/XAATQEBISFBISFBISFBISFBISFD/ZAAlAAFDcmVh
dGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAAAYAAH/k8+0CAXJgICAgID/2Q==`;
/** A square that is half black as JBIG2: the page's information, and one region coded as a fax. */
const JBIG2 = `AAAAADAAAQAAABMAAABAAAAAQAAAAAAAAAAAAAAAAAAAASYAAQAAACgAAABAAAAAQAAAAAAAAAAAAAEjYNX////////////////////4AIAI`;

/** The bytes of such a PDF. */
export function longPdf(pages) {
  const written = [];
  const put = (body, data) => written.push(data === undefined ? body : Buffer.concat([Buffer.from(`${body}\nstream\n`), data, Buffer.from("\nendstream")]));
  const picture = (side, bits, filter, base64) => {
    const data = Buffer.from(base64, "base64");
    put(`<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent ${bits} /Filter /${filter} /Length ${data.length} >>`, data);
  };
  const draw = commands => put(`<< /Length ${commands.length} >>`, Buffer.from(commands));
  const first = 7; // the objects before those of the pages
  const kids = Array.from({ length: pages }, (_, at) => `${first + 2 * at} 0 R`).join(" ");
  put("<< /Type /Catalog /Pages 2 0 R >>");
  put(`<< /Type /Pages /Count ${pages} /Kids [${kids}] /MediaBox [0 0 ${SIDE} ${SIDE}] /Resources 3 0 R >>`);
  put("<< /Font << /F 4 0 R >> /XObject << /P1 5 0 R /P2 6 0 R >> >>");
  put("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  picture(32, 8, "JPXDecode", JPX);
  picture(64, 1, "JBIG2Decode", JBIG2);
  for (let page = 1; page <= pages; page++) {
    put(`<< /Type /Page /Parent 2 0 R /Contents ${written.length + 2} 0 R${page % 7 === 3 ? ` /MediaBox [0 0 ${SIDE} ${2 * SIDE}]` : ""} >>`);
    draw(page <= 2 ? `q 100 0 0 100 50 50 cm /P${page} Do Q` : `BT /F 18 Tf 20 100 Td (This is page ${page}) Tj ET`);
  }
  let file = Buffer.from("%PDF-1.7\n");
  const pieces = [file], places = [];
  let length = file.length;
  written.forEach((body, at) => {
    places.push(length);
    file = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(body), Buffer.from("\nendobj\n")]);
    pieces.push(file);
    length += file.length;
  });
  const entries = places.map(each => `${String(each).padStart(10, "0")} 00000 n \n`).join("");
  pieces.push(Buffer.from(`xref\n0 ${written.length + 1}\n0000000000 65535 f \n${entries}trailer << /Size ${written.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`));
  return Buffer.concat(pieces);
}
