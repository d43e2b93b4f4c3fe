/** First and last byte of a range in a file, both inclusive. */
export type ByteRange = { first: number; last: number };

/**
 * Returns the bytes of a `Range` header (RFC 9110, section 14.1.2), cut to `maxBytes`. Undefined if the header is
 * absent or malformed, names several ranges, or begins after the file's end.
 */
export function byteRangeOf(header: string | undefined, sizeBytes: number, maxBytes: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  // `-500` means the last 500 bytes.
  const first = from === '' ? Math.max(sizeBytes - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (first > last) return undefined;
  return { first, last: Math.min(last, first + maxBytes - 1) };
}
