import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { makeFolder, ONLY_OWN, readChecked, writeChecked } from 'doorstep/files';
import { bytesOfColumns, type SegmentData } from './columns.ts';
import type { SegmentMemory } from './segment-memory.ts';
import { isOfThisLayout, type RestoredSegment, type SegmentHeader, serializeSegment } from './snapshot.ts';
import type { SnapshotPart } from './writer.ts';

/** A complete snapshot: its folder's name, its segments' headers, and the facts that its writer stored. */
export type Snapshot = { name: string; facts: unknown; segments: readonly SegmentHeader[] };

const MANIFEST = 'snapshot.json';
const NAME = /^[\w-]+$/;
const CHUNK_BYTES = 1 << 20;
/** How long other snapshots are kept, because another process may still write or read them. */
const SNAPSHOT_RETENTION_MS = 600_000;

const segmentFile = (folder: string, name: string, nth: number) => join(folder, name, `segment-${nth}.zst`);

/**
 * Writes each segment's columns, compressed, as a file in a new folder, then the manifest that names the folder.
 * Readers see either the previous snapshot or this one.
 */
export async function writeSnapshot(
  folder: string,
  { name, facts, nowMs }: Pick<Snapshot, 'name' | 'facts'> & { nowMs: number },
  parts: readonly SnapshotPart[],
  signal?: AbortSignal,
): Promise<void> {
  const segments: SegmentHeader[] = [];
  try {
    await makeFolder(join(folder, name), ONLY_OWN.folder);
    for (const { segment, role, died } of parts) {
      const { header, bytes } = serializeSegment(segment, role, died);
      const compress = createZstdCompress({
        chunkSize: CHUNK_BYTES,
        params: { [constants.ZSTD_c_compressionLevel]: 1 },
      });
      const file = createWriteStream(segmentFile(folder, name, segments.length), { mode: ONLY_OWN.file });
      await pipeline(Readable.from(bytes, { objectMode: false }), compress, file, { signal });
      segments.push(header);
    }
    await writeChecked(join(folder, MANIFEST), { name, facts, segments } satisfies Snapshot);
  } catch (error) {
    // Removes the partial snapshot, so that repeated failures do not fill the disk.
    await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
  await removeOthers(folder, name, nowMs);
}

/** Returns null if the folder has no complete manifest of this layout. */
export async function findSnapshot(folder: string): Promise<Snapshot | null> {
  const snapshot = await readChecked<Snapshot>(join(folder, MANIFEST));
  return snapshot && NAME.test(snapshot.name) && snapshot.segments.every(isOfThisLayout) ? snapshot : null;
}

/** Returns null if a file is missing or damaged. */
export async function readSnapshot(
  folder: string,
  { name, segments }: Snapshot,
  memory: SegmentMemory,
  signal?: AbortSignal,
): Promise<RestoredSegment[] | null> {
  const restored: RestoredSegment[] = [];
  try {
    for (const [nth, { role, checksum, layout: _, ...header }] of segments.entries()) {
      const data: SegmentData = { id: nth + 1, ...header, memory: memory.acquire(bytesOfColumns(header.lengths)) };
      await readColumns(segmentFile(folder, name, nth), data, checksum, signal);
      restored.push({ role, data });
    }
  } catch {
    return null;
  }
  return restored;
}

/** Reads a file's columns into segment memory. Fails if bytes are missing, damaged or too many. */
async function readColumns(file: string, data: SegmentData, checksum: number, signal?: AbortSignal): Promise<void> {
  const target = Buffer.from(data.memory, 0, bytesOfColumns(data.lengths));
  let [at, sum] = [0, 0];
  await pipeline(
    createReadStream(file, { highWaterMark: CHUNK_BYTES }),
    createZstdDecompress({ chunkSize: CHUNK_BYTES }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (chunk.copy(target, at) < chunk.length) throw new RangeError('More bytes than columns.');
        at += chunk.length;
        sum = crc32(chunk, sum);
      }
    },
    { signal },
  );
  if (at !== target.length || sum !== checksum) throw new RangeError('Bytes are missing or damaged.');
}

/** Removes the manifest; the files follow with the next snapshot. */
export async function removeSnapshot(folder: string): Promise<void> {
  await rm(join(folder, MANIFEST), { force: true });
}

async function removeOthers(folder: string, name: string, nowMs: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === name) continue;
    const { mtimeMs } = await stat(join(folder, entry.name));
    if (nowMs - mtimeMs > SNAPSHOT_RETENTION_MS) await rm(join(folder, entry.name), { recursive: true, force: true });
  }
}
