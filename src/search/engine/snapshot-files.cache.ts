import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { bytesOfColumns } from './columns.ts';
import type { SegmentMemory } from './segment-memory.ts';
import { ColumnReader, describeSegment, parseHeader, type RestoredSegment, type SegmentHeader } from './snapshot.ts';
import type { Publication, Writer } from './writer.ts';

/** The segments of a snapshot: the file and the header of each; and the number of the last change that is in it. */
type Manifest = { change: number; segments: readonly { file: string; header: SegmentHeader }[] };

const MANIFEST = 'snapshot.json';
const OF_SEGMENT = /^segment-[\w-]+\.zst$/;
const CHUNK_BYTES = 1 << 20;

/**
 * Writes the columns of each segment as they lie, compressed, a file each; then the manifest that names them, so a reader
 * sees the snapshot before or this one. `release` must not pass this version meanwhile.
 */
export async function writeSnapshot(folder: string, writer: Writer, change: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const segments: { file: string; header: SegmentHeader }[] = [];
  for (const { segment, role, died } of writer.snapshot()) {
    const { header, bytes } = describeSegment(segment, role, died);
    const file = `segment-${change}-${segment.id}.zst`;
    const compress = createZstdCompress({
      chunkSize: CHUNK_BYTES,
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    });
    await pipeline(Readable.from(bytes, { objectMode: false }), compress, createWriteStream(join(folder, file)));
    segments.push({ file, header });
  }
  const manifest: Manifest = { change, segments };
  await writeFile(join(folder, `${MANIFEST}.new`), JSON.stringify(manifest));
  await rename(join(folder, `${MANIFEST}.new`), join(folder, MANIFEST));
  const kept = new Set(segments.map(({ file }) => file));
  const others = (await readdir(folder)).filter((file) => OF_SEGMENT.test(file) && !kept.has(file));
  for (const file of others) await rm(join(folder, file), { force: true });
}

/** Fills an empty writer; null where the folder has no whole snapshot of this layout. */
export async function readSnapshot(
  folder: string,
  writer: Writer,
  memory: SegmentMemory,
): Promise<{ publication: Publication; change: number } | null> {
  const manifest = await readManifest(folder);
  if (manifest === null) return null;
  const restored: RestoredSegment[] = [];
  for (const { file, header } of manifest.segments) {
    const segment = await readSegment(join(folder, file), header, restored.length + 1, memory);
    if (segment === undefined) return null;
    restored.push(segment);
  }
  return { publication: writer.restore(restored), change: manifest.change };
}

async function readSegment(
  file: string,
  header: SegmentHeader,
  id: number,
  memory: SegmentMemory,
): Promise<RestoredSegment | undefined> {
  const reader = new ColumnReader(header, memory.take(bytesOfColumns(header.lengths)));
  try {
    await pipeline(
      createReadStream(file, { highWaterMark: CHUNK_BYTES }),
      createZstdDecompress({ chunkSize: CHUNK_BYTES }),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) if (!reader.take(chunk)) throw new RangeError('More bytes than columns.');
      },
    );
  } catch {
    return undefined;
  }
  return reader.finish(id);
}

async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const { change, segments } = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
    const read = segments.map(({ file, header }: { file: string; header: object }) => {
      return { file, header: parseHeader(JSON.stringify(header)) };
    });
    const isValid =
      Number.isSafeInteger(change) &&
      read.every((one: Manifest['segments'][number]) => OF_SEGMENT.test(one.file) && one.header !== undefined);
    return isValid ? { change, segments: read } : null;
  } catch {
    return null;
  }
}
