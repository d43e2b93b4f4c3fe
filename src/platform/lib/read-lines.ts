import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { type HeadCheck, openBytes, wrapReadErrors } from './read-bytes.ts';

/** A line that is not blank; an unreadable line has `text` null and an error. */
export type TextLine = { line: number; size: number } & ({ text: string } | { text: null; fault: string });

const NEWLINE = 10;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The lines of a file, or of standard input for `-`, compressed or not, in batches. Throws UnreadableFile. */
export async function openLines(
  file: string,
  stdin: Readable,
  maxLineBytes: number,
  check?: HeadCheck,
): Promise<AsyncGenerator<TextLine[]>> {
  return wrapReadErrors(file, splitLines(await openBytes(file, stdin, check), maxLineBytes));
}

/** Cuts bytes at line ends. An overlong line is dropped while it is read, so memory stays bounded. */
async function* splitLines(chunks: AsyncGenerator<Buffer>, maxLineBytes: number): AsyncGenerator<TextLine[]> {
  let parts: Buffer[] = [];
  let size = 0;
  let line = 1;
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= maxLineBytes) parts.push(part);
    else parts = [];
  };
  const finish = (part: Buffer): TextLine | null => {
    keep(part);
    const [only] = parts;
    const bytes = only && parts.length === 1 ? only : Buffer.concat(parts);
    const fault = `expected at most ${maxLineBytes} bytes in a line`;
    const read = size > maxLineBytes ? { line, size: 0, text: null, fault } : readLine(bytes, line);
    parts = [];
    size = 0;
    line += 1;
    return read;
  };
  for await (const chunk of chunks) {
    const lines: TextLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const read = finish(chunk.subarray(start, end));
      if (read) lines.push(read);
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  const last = size > 0 ? finish(Buffer.alloc(0)) : null;
  if (last) yield [last];
}

function readLine(bytes: Buffer, line: number): TextLine | null {
  const marked = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const plain = marked ? bytes.subarray(3) : bytes;
  if (!isUtf8(plain)) return { line, size: 0, text: null, fault: 'expected UTF-8' };
  const text = plain.toString('utf8');
  return /\S/.test(text) ? { line, size: plain.length, text } : null;
}
