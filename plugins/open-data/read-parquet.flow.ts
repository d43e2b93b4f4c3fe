import { type FileHandle, open } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { fileSize, wrapReadErrors } from 'doorstep/plugin';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/*
 * Reads Parquet in batches of rows, as JSON. The limits are far above real files of places
 * (docs/adr/0020-parquet-with-limits.md).
 */

/** A row by column: texts, numbers, lists and objects as in JSON; bytes are a Uint8Array. */
export type ParquetRow = Readonly<Record<string, unknown>>;

/** Maximum rows per file, about ten times the number of places in the world. */
const MAX_ROWS = 1_000_000_000;
const BLOCK_ROWS = 64;
/** Maximum decoded bytes of a block of `BLOCK_ROWS` rows. */
const MAX_BLOCK_BYTES = 16 * 1024 * 1024;
/** Rows decoded together if the file contains a page index; without one, a whole row group is. */
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

/** The rows of a Parquet file in its order, in batches, with the existing wanted columns. Throws UnreadableFile. */
export async function openParquet(
  file: string,
  wanted: readonly string[],
  maxRows: number = MAX_ROWS,
): Promise<AsyncGenerator<ParquetRow[]>> {
  await fileSize(file);
  return wrapReadErrors(file, readRows({ file, wanted, maxRows }));
}

type ParquetRequest = { file: string; wanted: readonly string[]; maxRows: number };

async function* readRows({ file, wanted, maxRows }: ParquetRequest): AsyncGenerator<ParquetRow[]> {
  const handle = await open(file);
  try {
    const source = await openSource(handle);
    const metadata = await parquetMetadataAsync(source, { geoparquet: false });
    const there = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
    const columns = wanted.filter((column) => there.has(column));
    if (columns.length === 0) throw new Error(`it has none of the columns ${wanted.join(', ')}`);
    const rowCount = Number(metadata.num_rows);
    if (!(rowCount <= maxRows)) throw new Error(`it has more than ${maxRows} rows`);
    for (const range of rangesOf(source, metadata)) {
      for (const block of await readBlocks(range, columns)) yield blockRows(block, columns);
    }
  } finally {
    await handle.close();
  }
}

type ColumnRange = Omit<Parameters<typeof parquetReadObjects>[0], 'columns'>;

function* rangesOf(file: AsyncBuffer, metadata: FileMetaData): Generator<ColumnRange> {
  for (const group of metadata.row_groups) {
    const groupRows = Number(group.num_rows);
    const useOffsetIndex = group.columns.every(({ offset_index_length: length }) => length);
    const step = useOffsetIndex ? ROWS_DECODED : groupRows;
    for (let rowStart = 0; rowStart < groupRows; rowStart += step) {
      const rowEnd = Math.min(rowStart + step, groupRows);
      yield { file, metadata: { ...metadata, row_groups: [group] }, rowStart, rowEnd, useOffsetIndex, ...AS_STORED };
    }
  }
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

async function openSource(handle: FileHandle): Promise<AsyncBuffer> {
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

type Block = { columns: Uint8Array[]; bytes: number };

/** Reads column by column, because values in objects take ten times their serialized memory. */
async function readBlocks(range: ColumnRange, columns: readonly string[]): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const column of columns) {
    const values = (await parquetReadObjects({ ...range, columns: [column] })).map((row) => jsonOf(row[column]));
    for (let at = 0; at * BLOCK_ROWS < values.length; at += 1) {
      const some = values.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS);
      const block = blocks[at] ?? { columns: [], bytes: 0 };
      blocks[at] = block;
      const piece = serialize(some);
      block.columns.push(piece);
      block.bytes += piece.length;
      if (block.bytes > MAX_BLOCK_BYTES) {
        throw new Error(`${some.length} of its rows in succession hold more than ${MAX_BLOCK_BYTES} bytes`);
      }
    }
  }
  return blocks;
}

function blockRows(block: Block, columns: readonly string[]): ParquetRow[] {
  const values = block.columns.map((column): unknown[] => deserialize(column));
  return (values[0] ?? []).map((_, row) => Object.fromEntries(columns.map((name, at) => [name, values[at]?.[row]])));
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
