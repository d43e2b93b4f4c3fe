import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SegmentMemory } from './segment-memory.ts';
import { decodeSegment, encodeSegment, type RestoredSegment } from './snapshot.ts';
import type { Publication, Writer } from './writer.ts';

/** The files of a snapshot, and the number of the last change that is in it. */
type Manifest = { change: number; files: readonly string[] };

const MANIFEST = 'snapshot.json';
const OF_SEGMENT = /^segment-[\w-]+\.zst$/;

/**
 * Writes the segments of a writer into a folder, a file each, and then the manifest that names them: a reader sees the
 * snapshot before or this one. Others may use the thread between two files; `release` must not pass this version meanwhile.
 */
export async function writeSnapshot(folder: string, writer: Writer, change: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const { segment, role, died } of writer.snapshot()) {
    const file = `segment-${change}-${segment.id}.zst`;
    await writeFile(join(folder, file), encodeSegment(segment, role, died));
    files.push(file);
  }
  const manifest: Manifest = { change, files };
  await writeFile(join(folder, `${MANIFEST}.new`), JSON.stringify(manifest));
  await rename(join(folder, `${MANIFEST}.new`), join(folder, MANIFEST));
  const others = (await readdir(folder)).filter((file) => OF_SEGMENT.test(file) && !files.includes(file));
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
  for (const [nth, file] of manifest.files.entries()) {
    const bytes = await readFile(join(folder, file)).catch(() => null);
    const segment = bytes === null ? undefined : decodeSegment(bytes, nth + 1, memory);
    if (segment === undefined) return null;
    restored.push(segment);
  }
  const publication = writer.restore(restored);
  return { publication, change: manifest.change };
}

async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const { change, files } = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
    const isValid =
      Number.isSafeInteger(change) && Array.isArray(files) && files.every((file) => OF_SEGMENT.test(file));
    return isValid ? { change, files } : null;
  } catch {
    return null;
  }
}
