export type ImageSize = { width: number; height: number };

const PNG_HEAD_BYTES = 24;

/**
 * Width and height in pixels that a PNG or an SVG says of itself, so that a page keeps room before the image has come.
 * Undefined for bytes that are neither.
 */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length >= PNG_HEAD_BYTES && bytes.toString('latin1', 1, 4) === 'PNG') {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  const [, box = ''] = /<svg\b[^>]*?\bviewBox="([^"]*)"/.exec(bytes.toString('utf8', 0, 1024)) ?? [];
  const [, , width, height] = box.split(/[\s,]+/).map(Number);
  return width && height ? { width, height } : undefined;
}
