import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

/** A line that is not blank; `text` is null where it could not be read, and `fault` then says what was expected. */
export type TextLine = { line: number; size: number } & ({ text: string } | { text: null; fault: string });

/** The file could not be opened, or not be read to its end; what was read before it is in. */
export class UnreadableFile extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file === '-' ? 'Standard input' : file} could not be read: ${reasonOf(cause)}`, { cause });
    this.name = 'UnreadableFile';
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/** The system's own words repeat the call and the path. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string };
  return SYSTEM_REASONS[code ?? ''] ?? message ?? String(cause);
}

export type LineStream = {
  /** The lines, many at a time. Throws UnreadableFile. */
  lines: AsyncGenerator<TextLine[]>;
  /** Bytes of the file as it lies there, compressed or not; the total is null for standard input. */
  progress(): { bytesRead: number; bytesTotal: number | null };
};

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Opens a file, or standard input for `-`; gzip and Zstandard are known by their first bytes, whatever the name. */
export async function openLines(file: string, stdin: Readable, maxLineBytes: number): Promise<LineStream> {
  const fromStdin = file === '-';
  const bytesTotal = fromStdin ? null : await sizeOf(file);
  const source = fromStdin ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytesRead += (chunk as Buffer).length;
      yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as string);
    }
  }
  return {
    lines: readableLines(file, () => splitLines(decompressed(counted()), maxLineBytes)),
    progress: () => ({ bytesRead, bytesTotal }),
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new UnreadableFile(file, error);
  }
}

async function* readableLines(file: string, open: () => AsyncGenerator<TextLine[]>): AsyncGenerator<TextLine[]> {
  const lines = open();
  try {
    while (true) {
      const next = await readNext(file, lines);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await lines.return(undefined);
  }
}

async function readNext(file: string, lines: AsyncGenerator<TextLine[]>): Promise<IteratorResult<TextLine[]>> {
  try {
    return await lines.next();
  } catch (error) {
    throw new UnreadableFile(file, error);
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < ZSTD.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* chunks;
  }
  const decoder = decoderFor(head);
  if (decoder) pipeline(Readable.from(whole()), decoder, () => {});
  yield* decoder ?? whole();
}

function decoderFor(head: Buffer): Transform | null {
  const begins = (magic: readonly number[]) => magic.every((byte, at) => head[at] === byte);
  if (begins(GZIP)) return createGunzip({ chunkSize: CHUNK_BYTES });
  return begins(ZSTD) ? createZstdDecompress({ chunkSize: CHUNK_BYTES }) : null;
}

/** Cuts bytes at line ends. A line over the limit is dropped as it comes, so that memory stays bounded. */
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
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const read = size > maxLineBytes ? tooLong(line, maxLineBytes) : readLine(bytes, line);
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

function tooLong(line: number, maxLineBytes: number): TextLine {
  return { line, size: 0, text: null, fault: `expected at most ${maxLineBytes} bytes in a line` };
}

function readLine(bytes: Buffer, line: number): TextLine | null {
  const marked = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const plain = marked ? bytes.subarray(3) : bytes;
  if (!isUtf8(plain)) return { line, size: 0, text: null, fault: 'expected UTF-8' };
  const text = plain.toString('utf8');
  return /\S/.test(text) ? { line, size: plain.length, text } : null;
}
