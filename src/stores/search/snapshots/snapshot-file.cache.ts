import { createHash, hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { randomId } from '../../../lib/random-id.ts';
import type { BlockBytes } from './snapshot-blocks.ts';
import { MAGIC, type PackedPart, type SnapshotFacts, type SnapshotList } from './snapshot-layout.ts';

const OWNER_ONLY = 0o600;
/** What a killed writer has left is removed after this time. */
const LEFT_OVER_MS = 3_600_000;

const compress = promisify(zstdCompress);
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
  const listed: SnapshotList['blocks'] = [];
  const write = async (bytes: Buffer): Promise<PackedPart> => {
    const packed = await compress(bytes, FAST);
    await handle.writeFile(packed);
    return { bytes: packed.length, size: bytes.length, sha256: hash('sha256', packed) };
  };
  await handle.write(MAGIC);
  for await (const { columns, documents } of blocks) {
    listed.push({ columns: await write(columns), documents: await write(documents) });
  }
  const list = Buffer.from(JSON.stringify({ ...factsOf(), blocks: listed } satisfies SnapshotList));
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
