import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { errorCode } from 'doorstep/files';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The backup cannot be written, read or restored. The message is one sentence for the terminal. */
export class BackupError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'BackupError';
  }
}

const FILE = 'manifest.json';
/** Format version of the manifest; raised when an earlier Doorstep could not read the change. */
const FORMAT = 1;
/** Maximum size of a manifest. A table takes about 500 bytes. */
const MAX_BYTES = 4 * 2 ** 20;

const TableCopy = Type.Object({
  table: Type.String(),
  columns: Type.Array(Type.String()),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
});

const Manifest = Type.Object({
  format: Type.Integer(),
  snapshotAt: Type.String(),
  postgres: Type.String(),
  migrations: Type.Array(Type.String()),
  /** The last store change's number (docs/adr/0003-change-clock.md). */
  changeNumber: Type.Integer(),
  sequences: Type.Array(Type.Object({ table: Type.String(), column: Type.String(), last: Type.Integer() })),
  tables: Type.Array(TableCopy),
});

export type TableCopy = Static<typeof TableCopy>;
export type Manifest = Static<typeof Manifest>;

/** Returns the name of a table's file: COPY text format, compressed with Zstandard. */
export const tableFile = ({ table }: Pick<TableCopy, 'table'>): string => `${table}.copy.zst`;

/** Writes the manifest last and renames it after fsync, so a backup with a manifest is complete. */
export async function writeManifest(directory: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const body = { format: FORMAT, ...manifest };
  const draft = join(directory, `${FILE}.draft`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ ...body, sha256: manifestDigest(body) }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(directory, FILE));
  const folder = await open(directory, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Reads the text of a manifest; undefined if the file is not one or is too long. */
async function readBounded(directory: string): Promise<string | undefined> {
  const path = join(directory, FILE);
  // A pipe or device would never end.
  if (!(await stat(path)).isFile()) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: MAX_BYTES })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return bytes.length > MAX_BYTES ? undefined : bytes.toString();
}

/** Throws BackupError if the folder has no finished backup, or its manifest is damaged, above 4 MiB or too new. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readBounded(directory).catch((cause) => {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')) throw cause;
    throw new BackupError(`${directory} holds no finished backup: it has no ${FILE}.`, { cause });
  });
  const damaged = (cause?: unknown) => new BackupError(`The backup in ${directory} is damaged: ${FILE}.`, { cause });
  if (text === undefined) throw damaged();
  let parsed: { format?: unknown; sha256?: unknown };
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw damaged(error);
  }
  const { sha256, ...body } = parsed;
  if (sha256 !== manifestDigest(body)) throw damaged();
  if (body.format !== FORMAT)
    throw new BackupError(`The backup in ${directory} was created by a newer Doorstep version. Use that version.`);
  if (!Value.Check(Manifest, body)) throw damaged();
  return body;
}

const manifestDigest = (body: object) => createHash('sha256').update(JSON.stringify(body)).digest('hex');

/** Passes bytes on and counts them; `onChunk` gets each chunk. */
export function countBytes(onChunk: (chunk: Buffer) => void): { stream: Transform; total(): number } {
  let total = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      onChunk(chunk);
      done(null, chunk);
    },
  });
  return { stream, total: () => total };
}
