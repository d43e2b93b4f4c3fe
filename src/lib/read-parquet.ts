import { resolve, sep } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBValueConverter } from '@duckdb/node-api';
import { type ReadProgress, readably, sizeOf, UnreadableFile } from './read-bytes.ts';

/** A row by its columns: texts, numbers, lists and objects as in JSON; bytes are a Uint8Array. */
export type ParquetRow = Readonly<Record<string, unknown>>;

export type ParquetStream = {
  /** The rows in the order of the file, some thousand at a time. Throws UnreadableFile. */
  rows: AsyncGenerator<ParquetRow[]>;
  progress(): ReadProgress;
};

/**
 * One thread, and a bound on the engine's own buffers for a file of any size: row groups are read one by one. Texts of
 * 2048 rows come on top; a hostile file may have a text of a megabyte in each row.
 */
const ENGINE = {
  threads: '1',
  memory_limit: '512MB',
  // The engine must not download extensions while it reads a file.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** Reads the columns of the file only: a folder named `id=7` makes no column. */
const ROWS = 'read_parquet($1, hive_partitioning = false)';

const MISSING =
  'Parquet is read by the optional package @duckdb/node-api, which is not installed here (npm install brings it where there is one for the platform)';

/** Opens a Parquet file and reads those of the wanted columns that exist. Throws UnreadableFile. */
export async function openParquet(file: string, wanted: readonly string[]): Promise<ParquetStream> {
  const bytesTotal = await sizeOf(file);
  const engine = await loadEngine(file);
  let share = 0;
  const rows = readably(
    file,
    readRows(engine, file, wanted, (read) => (share = read)),
  );
  return { rows, progress: () => ({ bytesRead: Math.round(bytesTotal * share), bytesTotal }) };
}

type Engine = typeof import('@duckdb/node-api');

async function loadEngine(file: string): Promise<Engine> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw new UnreadableFile(file, new Error(MISSING, { cause: error }));
  }
}

async function* readRows(
  engine: Engine,
  file: string,
  wanted: readonly string[],
  onRead: (share: number) => void,
): AsyncGenerator<ParquetRow[]> {
  const instance: DuckDBInstance = await engine.DuckDBInstance.create(':memory:', ENGINE);
  const connection = await instance.connect();
  try {
    // Geometries stay the bytes that they are stored as.
    await connection.run('set enable_geoparquet_conversion = false');
    const { columns, rowCount } = await describe(connection, file, wanted);
    if (columns.length === 0) throw new Error(`it has none of the columns ${wanted.join(', ')}`);
    const list = columns.map((column) => `"${column}"`).join(', ');
    const result = await connection.stream(`select ${list} from ${ROWS}`, [onlyThis(file)]);
    const convert = converterOf(engine);
    let read = 0;
    for await (const rows of result.yieldConvertedRowObjects(convert)) {
      read += rows.length;
      onRead(rowCount === 0 ? 1 : read / rowCount);
      yield rows;
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The path, escaped: the engine reads a path as a pattern or a URL of its own. */
function onlyThis(file: string): string {
  const path = resolve(file);
  const pattern = path.replace(/[[*?]/g, '[$&]');
  // In a pattern it parts folders at backslashes, which elsewhere than on Windows may stand in a name.
  if (pattern !== path && sep === '/' && path.includes('\\')) throw new Error('its path has \\ beside one of [ * ?');
  return pattern;
}

async function describe(connection: DuckDBConnection, file: string, wanted: readonly string[]) {
  const described = await connection.runAndReadAll(`describe select * from ${ROWS}`, [onlyThis(file)]);
  const there = new Set(described.getRowObjects().map((row) => String(row.column_name)));
  const counted = await connection.runAndReadAll(
    'select sum(num_rows)::double as row_count from parquet_file_metadata($1)',
    [onlyThis(file)],
  );
  const rowCount = Number(counted.getRowObjects()[0]?.row_count ?? 0);
  return { columns: wanted.filter((column) => there.has(column)), rowCount };
}

function converterOf({ DuckDBBlobValue, JsonDuckDBValueConverter }: Engine): DuckDBValueConverter<unknown> {
  const toJson = JsonDuckDBValueConverter as DuckDBValueConverter<unknown>;
  return (value, type, converter) => (value instanceof DuckDBBlobValue ? value.bytes : toJson(value, type, converter));
}
