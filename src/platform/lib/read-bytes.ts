import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { errorCode, errorMessage } from 'doorstep/files';

/** The file could not be opened or read to its end. */
export class UnreadableFile extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file === '-' ? 'Standard input' : file} could not be read: ${readErrorReason(cause)}`, { cause });
    this.name = 'UnreadableFile';
  }
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'it is a folder, expected a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
};

/** Returns the reason of a failure, without path or control characters: messages may repeat the path or the file. */
export function readErrorReason(cause: unknown): string {
  return (
    SYSTEM_REASONS[errorCode(cause) ?? ''] ??
    errorMessage(cause)
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
  );
}

const CHUNK_BYTES = 256 * 1024;
const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/**
 * Maximum compression ratio above a trivial size. Feeds shrink to a tenth or hundredth; a higher ratio is mere
 * repetition, and would take hours to read.
 */
const MAX_COMPRESSION_RATIO = 250;
const RATIO_EXEMPT_BYTES = 256 * 1024 * 1024;

/** Checks a file's first decompressed bytes: `bytes` of them, fewer only if the file is shorter. */
export type HeadCheck = { bytes: number; faultOf(head: Buffer): string | undefined };

const ANY_HEAD: HeadCheck = { bytes: 0, faultOf: () => undefined };

/**
 * The decompressed bytes of a file, or of standard input for `-`; gzip and Zstandard are recognized by their first
 * bytes. Readers wrap errors with `wrapReadErrors`.
 */
export async function openBytes(file: string, stdin: Readable, check = ANY_HEAD): Promise<AsyncGenerator<Buffer>> {
  const fromStdin = file === '-';
  if (!fromStdin) await fileSize(file);
  const source = fromStdin ? stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
      bytesRead += bytes.length;
      yield bytes;
    }
  }
  async function* bounded(): AsyncGenerator<Buffer> {
    let unpacked = 0;
    for await (const chunk of checkHead(decompress(counted()), check)) {
      unpacked += chunk.length;
      if (unpacked > Math.max(RATIO_EXEMPT_BYTES, MAX_COMPRESSION_RATIO * bytesRead)) {
        throw new Error(`it unpacks to more than ${MAX_COMPRESSION_RATIO} times its size`);
      }
      yield chunk;
    }
  }
  return bounded();
}

/** Passes on the records of a file, with any read error as UnreadableFile. */
export async function* wrapReadErrors<T>(file: string, records: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    while (true) {
      const next = await readNext(file, records);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await records.return(undefined);
  }
}

async function readNext<T>(file: string, records: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  try {
    return await records.next();
  } catch (error) {
    throw new UnreadableFile(file, error);
  }
}

/** Returns why a file cannot be read, as a sentence; null if it can be, and for standard input. */
export async function findFileFault(file: string): Promise<string | null> {
  if (file === '-') return null;
  try {
    await fileSize(file);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

export async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new UnreadableFile(file, error);
  }
}

async function* checkHead(chunks: AsyncGenerator<Buffer>, { bytes, faultOf }: HeadCheck): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < bytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const fault = faultOf(head);
  if (fault !== undefined) throw new Error(fault);
  if (head.length > 0) yield head;
  yield* chunks;
}

async function* decompress(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
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
