import { createHash, hash, subtle } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { randomId } from '../../../lib/random-id.ts';
import type { BlockBytes } from './snapshot-blocks.ts';

/** What a snapshot says of itself: which version wrote it, of which history, and of how many stores. */
export type SnapshotFacts = { format: string; mark: string; seq: number; stores: number };

/** A snapshot whose end is as it was written; its blocks are checked one by one. */
export type OpenedSnapshot = {
  facts: SnapshotFacts;
  /** The blocks in their sequence, the next one read while one is worked on. Throws UnusableSnapshot. */
  blocks(): AsyncGenerator<BlockBytes>;
  close(): Promise<void>;
};

/** The reason why a snapshot does not count. The index is then loaded from the database. */
export class UnusableSnapshot extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'UnusableSnapshot';
  }
}

const MAGIC = Buffer.from('doorstep search\n');
/** The end of the file: bytes of the list of blocks, and its SHA-256. */
const END_BYTES = 4 + 32;
const MAX_LIST_BYTES = 16 << 20;
/** Blocks that are read and unpacked while one is loaded: both take some megabytes and other threads. */
const BLOCKS_AHEAD = 3;
/** Room that is left in a chunk tells that nothing follows; a chunk has at least 64 bytes. */
const SPARE_BYTES = 64;
const OWNER_ONLY = 0o600;
/** What a killed writer has left is removed after this time. */
const LEFT_OVER_MS = 3_600_000;

/** Bytes that are packed apart, and how many they are unpacked. */
type Listed = { bytes: number; size: number; sha256: string };
type List = SnapshotFacts & { blocks: { columns: Listed; documents: Listed }[] };

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Writes a snapshot in the place of an earlier one, which stays whole until then. `factsOf` is called after the last
 * block. The file holds what stores are shown with, and is the owner's alone.
 */
export async function writeSnapshotFile(
  file: string,
  blocks: AsyncIterable<BlockBytes>,
  factsOf: () => SnapshotFacts,
  now: Temporal.Instant,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await removeLeftOvers(file, now);
  const temporary = `${file}.${randomId('', 6)}.tmp`;
  const handle = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await writeBlocks(handle, blocks, factsOf);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeBlocks(
  handle: FileHandle,
  blocks: AsyncIterable<BlockBytes>,
  factsOf: () => SnapshotFacts,
): Promise<void> {
  const listed: List['blocks'] = [];
  const write = async (bytes: Buffer): Promise<Listed> => {
    const packed = await compress(bytes, FAST);
    await handle.writeFile(packed);
    return { bytes: packed.length, size: bytes.length, sha256: hash('sha256', packed) };
  };
  await handle.write(MAGIC);
  for await (const { columns, documents } of blocks) {
    listed.push({ columns: await write(columns), documents: await write(documents) });
  }
  const list = Buffer.from(JSON.stringify({ ...factsOf(), blocks: listed } satisfies List));
  const end = Buffer.alloc(4);
  end.writeUInt32LE(list.length);
  await handle.writeFile(Buffer.concat([list, end, createHash('sha256').update(list).digest()]));
}

async function removeLeftOvers(file: string, now: Temporal.Instant): Promise<void> {
  const begin = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(begin) || !name.endsWith('.tmp')) continue;
    const path = join(dirname(file), name);
    const found = await stat(path).catch(() => null);
    if (found && now.epochMilliseconds - found.mtimeMs > LEFT_OVER_MS) await rm(path, { force: true });
  }
}

/** Opens a snapshot and checks its end. Throws UnusableSnapshot; null where there is no file. */
export async function openSnapshotFile(file: string): Promise<OpenedSnapshot | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UnusableSnapshot('the file cannot be read', { cause: error });
  });
  if (handle === null) return null;
  try {
    const { blocks, ...facts } = await readList(handle);
    return { facts, blocks: () => readBlocks(handle, blocks), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readList(handle: FileHandle): Promise<List> {
  const { size } = await handle.stat();
  const magic = await readAt(handle, 0, MAGIC.length);
  if (!magic.equals(MAGIC) || size < MAGIC.length + END_BYTES) throw new UnusableSnapshot('the file is no snapshot');
  const end = await readAt(handle, size - END_BYTES, END_BYTES);
  const length = end.readUInt32LE(0);
  if (length > Math.min(MAX_LIST_BYTES, size - MAGIC.length - END_BYTES))
    throw new UnusableSnapshot('its end is damaged');
  const text = await readAt(handle, size - END_BYTES - length, length);
  const isWhole = createHash('sha256').update(text).digest().equals(end.subarray(4));
  if (!isWhole) throw new UnusableSnapshot('its end is damaged');
  const list = JSON.parse(text.toString()) as List;
  const bytes = list.blocks.reduce((sum, { columns, documents }) => sum + columns.bytes + documents.bytes, 0);
  if (MAGIC.length + bytes + length + END_BYTES !== size) throw new UnusableSnapshot('its size is another one');
  return list;
}

async function* readBlocks(handle: FileHandle, listed: List['blocks']): AsyncGenerator<BlockBytes> {
  let at = MAGIC.length;
  const readNext = (part: Listed): Promise<Buffer> => {
    const bytes = readPart(handle, at, part);
    at += part.bytes;
    // The bytes are awaited later, or never where the reader stops.
    bytes.catch(() => {});
    return bytes;
  };
  const ahead: Promise<Buffer>[][] = [];
  for (const { columns, documents } of listed) {
    ahead.push([readNext(columns), readNext(documents)]);
    if (ahead.length > BLOCKS_AHEAD) yield await blockOf(ahead.shift());
  }
  while (ahead.length > 0) yield await blockOf(ahead.shift());
}

async function blockOf(parts: readonly Promise<Buffer>[] = []): Promise<BlockBytes> {
  const [columns, documents] = await Promise.all(parts);
  return { columns: columns as Buffer, documents: documents as Buffer };
}

async function readPart(handle: FileHandle, at: number, { bytes, size, sha256 }: Listed): Promise<Buffer> {
  const packed = await readAt(handle, at, bytes);
  // Another thread hashes, while this one loads the block before.
  const found = Buffer.from(await subtle.digest('SHA-256', packed)).toString('hex');
  if (found !== sha256) throw new UnusableSnapshot('a block is damaged');
  // One chunk: the bytes are not put together of many, and the index may keep them.
  return decompress(packed, { chunkSize: size + SPARE_BYTES });
}

async function readAt(handle: FileHandle, at: number, bytes: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, at);
  return buffer.subarray(0, bytesRead);
}
