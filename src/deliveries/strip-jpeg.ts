/** Markers of a JPEG (ITU-T T.81, annex B), without their first byte FF. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COMMENT = 0xfe;
const [APP1, APP15] = [0xe1, 0xef];
const [RST0, RST7] = [0xd0, 0xd7];

/**
 * A JPEG without the segments that hold no picture: APP1 to APP15 (Exif with the place and the phone, XMP, colour
 * profiles, embedded previews), comments, and whatever follows its end. Undefined for bytes that are no whole JPEG.
 */
export function stripJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  let hasPicture = false;
  while (at < bytes.length) {
    const marker = markerAt(bytes, at);
    if (marker === undefined) return undefined;
    if (marker.code === EOI) return hasPicture ? Buffer.concat([...kept, Buffer.from([0xff, EOI])]) : undefined;
    const end = segmentEnd(bytes, marker.to);
    if (end === undefined) return undefined;
    if (!isMetadata(marker.code)) kept.push(bytes.subarray(marker.to - 2, end));
    at = end;
    if (marker.code !== SOS) continue;
    hasPicture = true;
    at = scanEnd(bytes, end);
    kept.push(bytes.subarray(end, at));
  }
  return undefined;
}

function isMetadata(code: number): boolean {
  return code === COMMENT || (code >= APP1 && code <= APP15);
}

/** A marker and the position after it; any number of FF may stand before a marker. */
function markerAt(bytes: Buffer, from: number): { code: number; to: number } | undefined {
  if (bytes[from] !== 0xff) return undefined;
  let at = from;
  while (bytes[at] === 0xff) at += 1;
  const code = bytes[at];
  return code === undefined || code === 0 ? undefined : { code, to: at + 1 };
}

/** A segment begins with its length, which counts its own two bytes. */
function segmentEnd(bytes: Buffer, from: number): number | undefined {
  if (from + 2 > bytes.length) return undefined;
  const length = bytes.readUInt16BE(from);
  return length < 2 || from + length > bytes.length ? undefined : from + length;
}

/** The position of the marker after the coded picture: within it FF is followed by 0 or by a restart marker. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const code = bytes[at + 1];
    const isCoded = code === 0 || code === 0xff || (code !== undefined && code >= RST0 && code <= RST7);
    if (!isCoded) return at;
  }
  return bytes.length;
}
