import { crc32, deflateSync } from 'node:zlib';

/** Black dots on white paper: one byte a dot, 1 is black, row by row. */
export type Dots = { width: number; height: number; black: Uint8Array };

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;

/** The dots as a PNG of one bit a dot (ISO/IEC 15948). */
export function monochromePng({ width, height, black }: Dots): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  // A row begins with its filter, which is none; a bit that is set is white.
  const rowBytes = 1 + Math.ceil(width / BITS);
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (black[y * width + x] === 1) continue;
      const at = y * rowBytes + 1 + Math.floor(x / BITS);
      rows[at] = (rows[at] ?? 0) | (128 >> (x % BITS));
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}
