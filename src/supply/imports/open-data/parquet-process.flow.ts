import { open } from 'node:fs/promises';
import { serialize } from 'node:v8';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type Compressors, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { errorMessage } from '../../../platform/lib/error-code.ts';

// Child process of read-parquet.flow.ts, because a crafted file can fill a reader's heap, which kills its process. The
// parent requests rows in small batches. This process ends with its parent.

/** The parent's first message. */
export type ParquetRequest = { file: string; wanted: readonly string[]; limits: ParquetLimits };

/** `opened` answers the request; each `'next'` gets one of the others. */
export type ParquetAnswer =
  | { kind: 'opened'; rowCount: number; columns: string[] }
  | { kind: 'rows'; blocks: ParquetBlock[]; count: number }
  | { kind: 'end' }
  | { kind: 'failed'; reason: string };

export type ParquetBlock = Uint8Array[];

export type ParquetLimits = {
  /** Maximum rows per file, about ten times the number of places in the world. */
  rows: number;
  /** Maximum decoded bytes of a block of `BLOCK_ROWS` rows. */
  bytesAtOnce: number;
  /** Maximum JavaScript heap of this process, in megabytes. */
  heapMb: number;
  answerMs: number;
};

const BLOCK_ROWS = 64;
/** Size at which an answer is sent. */
const ANSWER_BYTES = 512 * 1024;
/** Rows decoded together if the file has a page index; without one, a whole row group is. */
const ROWS_DECODED = 32_768;
/** Maximum bytes of a decompressed page, and of a stored column in a row group; writers make pages of about 1 MB. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const MAX_COLUMN_BYTES = 256 * 1024 * 1024;

/** Node's decoders are bounded; the package has the remaining formats. */
const NATIVE: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: length }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: length }),
  ZSTD: (input, length) => zstdDecompressSync(input, { maxOutputLength: length }),
};

const BOUNDED: Compressors = Object.fromEntries(
  Object.entries({ ...compressors, ...NATIVE }).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, length: number) => {
      if (!(length <= MAX_PAGE_BYTES)) throw new Error(`a page of it holds more than ${MAX_PAGE_BYTES} bytes`);
      return length === 0 ? new Uint8Array() : decompress(input, length);
    },
  ]),
);

async function* answers({ file, wanted, limits }: ParquetRequest): AsyncGenerator<ParquetAnswer> {
  const source = await openSource(file);
  const metadata = await parquetMetadataAsync(source, { geoparquet: false });
  const there = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
  const columns = wanted.filter((column) => there.has(column));
  if (columns.length === 0) throw new Error(`it has none of the columns ${wanted.join(', ')}`);
  const rowCount = Number(metadata.num_rows);
  if (!(rowCount <= limits.rows)) throw new Error(`it has more than ${limits.rows} rows`);
  yield { kind: 'opened', rowCount, columns };
  for (const group of metadata.row_groups) {
    const ofGroup = { file: source, metadata: { ...metadata, row_groups: [group] } };
    const groupRows = Number(group.num_rows);
    const isIndexed = group.columns.every(({ offset_index_length: length }) => length);
    const step = isIndexed ? ROWS_DECODED : groupRows;
    for (let rowStart = 0; rowStart < groupRows; rowStart += step) {
      const range = { rowStart, rowEnd: Math.min(rowStart + step, groupRows), useOffsetIndex: isIndexed };
      yield* packRows(await readBlocks({ ...ofGroup, ...range, ...AS_STORED }, columns, limits.bytesAtOnce));
    }
  }
  yield { kind: 'end' };
}

const keepBytes = (bytes: Uint8Array) => bytes;
const isoUtc = (milliseconds: bigint) => new Date(Number(milliseconds)).toISOString();

/** Keeps geometries and texts without a logical type as bytes; formats timestamps as text. */
const AS_STORED = {
  utf8: false,
  compressors: BOUNDED,
  parsers: {
    geometryFromBytes: keepBytes,
    geographyFromBytes: keepBytes,
    dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
    timestampFromMilliseconds: isoUtc,
    timestampFromMicroseconds: (micros: bigint) => isoUtc(micros / 1000n),
    timestampFromNanoseconds: (nanos: bigint) => isoUtc(nanos / 1_000_000n),
  },
};

type ColumnRange = Omit<Parameters<typeof parquetReadObjects>[0], 'columns'>;

async function openSource(file: string): Promise<AsyncBuffer> {
  const handle = await open(file);
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const length = Math.min(end, size) - start;
      if (!(start >= 0 && length >= 0)) throw new Error('it refers to bytes outside of itself');
      if (length > MAX_COLUMN_BYTES) throw new Error(`a column of a row group has more than ${MAX_COLUMN_BYTES} bytes`);
      const bytes = new Uint8Array(length);
      await handle.read(bytes, { position: start });
      return bytes.buffer;
    },
  };
}

type Block = { columns: ParquetBlock; rows: number; bytes: number };

/** Reads column by column, because values in objects take ten times their serialized memory. */
async function readBlocks(range: ColumnRange, columns: readonly string[], maxBytes: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const column of columns) {
    const values = (await parquetReadObjects({ ...range, columns: [column] })).map((row) => jsonOf(row[column]));
    for (let at = 0; at * BLOCK_ROWS < values.length; at += 1) {
      const some = values.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS);
      const block = blocks[at] ?? { columns: [], rows: some.length, bytes: 0 };
      blocks[at] = block;
      const piece = serialize(some);
      block.columns.push(piece);
      block.bytes += piece.length;
      if (block.bytes > maxBytes) {
        throw new Error(`${some.length} of its rows in succession hold more than ${maxBytes} bytes`);
      }
    }
  }
  return blocks;
}

function* packRows(blocks: readonly Block[]): Generator<ParquetAnswer> {
  let answer = { kind: 'rows' as const, blocks: [] as ParquetBlock[], count: 0 };
  let bytes = 0;
  for (const [at, block] of blocks.entries()) {
    answer.blocks.push(block.columns);
    answer.count += block.rows;
    bytes += block.bytes;
    if (bytes < ANSWER_BYTES && at + 1 < blocks.length) continue;
    yield answer;
    answer = { kind: 'rows', blocks: [], count: 0 };
    bytes = 0;
  }
}

/** Converts values in place: 64-bit integers become text, missing values null. */
function jsonOf(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (typeof member !== 'string') members[key] = jsonOf(member);
  }
  return members;
}

function send(answer: ParquetAnswer): void {
  process.send?.(answer);
}

function fail(reason: string): void {
  process.send?.({ kind: 'failed', reason } satisfies ParquetAnswer, () => process.exit(1));
}

process.on('disconnect', () => process.exit(0));
process.once('message', (request: ParquetRequest) => {
  const stream = answers(request);
  const next = () =>
    stream.next().then(
      ({ value }) => value && send(value),
      (error: unknown) => fail(errorMessage(error)),
    );
  process.on('message', next);
  void next();
});
