import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, type and checksum of a chunk. */
const CHUNK_FRAME = 12;
const IHDR_LENGTH = 13;
/** The bit depths of each colour type (PNG specification, table 11.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export function looksLikePng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/**
 * Width and height in pixels of a whole PNG: every chunk is there with its checksum, the header comes first, some
 * pixels in between, the end last and nothing after it. Undefined for anything else. Pixels are not unpacked.
 */
export function readPngSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (!looksLikePng(bytes)) return undefined;
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (!chunks || header?.type !== 'IHDR' || header.data.length !== IHDR_LENGTH) return undefined;
  if (chunks.at(-1)?.type !== 'IEND' || !chunks.some(({ type, data }) => type === 'IDAT' && data.length > 0)) {
    return undefined;
  }
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.data.subarray(8);
  if (!DEPTHS[colour]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return undefined;
  return { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
}

/** All chunks up to IEND, which ends the file; undefined where a chunk is cut off, damaged, or follows IEND. */
function chunksOf(bytes: Buffer): { type: string; data: Buffer }[] | undefined {
  const chunks: { type: string; data: Buffer }[] = [];
  let at = SIGNATURE.length;
  while (at + CHUNK_FRAME <= bytes.length) {
    const end = at + CHUNK_FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4) });
    at = end;
    if (type === 'IEND') break;
  }
  return at === bytes.length ? chunks : undefined;
}
