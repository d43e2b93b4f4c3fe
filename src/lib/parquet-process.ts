import { resolve, sep } from 'node:path';
import { serialize } from 'node:v8';
import * as engine from '@duckdb/node-api';
import { errorMessage } from './error-code.ts';

// A process of its own (started by read-parquet.ts): the engine is native code, and a crafted file may crash it, or make it
// take memory without end. The parent asks for rows a few at a time; this process ends with its parent.

/** What the parent asks first. */
export type ParquetRequest = { file: string; wanted: readonly string[]; limits: ParquetLimits };

/** What this process answers: to the request `opened`, to each `'next'` one of the others. */
export type ParquetAnswer =
  | { kind: 'opened'; rowCount: number }
  | { kind: 'rows'; pieces: Uint8Array[]; count: number }
  | { kind: 'end' }
  | { kind: 'failed'; reason: string };

export type ParquetLimits = {
  /** Of a file: some ten times the places of the world. */
  rows: number;
  /** Bytes of `ROWS_AT_ONCE` rows in succession, once they are read. */
  bytesAtOnce: number;
  /** Memory of this process, the engine and the rows that it holds. */
  memoryBytes: number;
  /** Longest wait for an answer. */
  answerMs: number;
};

const ROWS_AT_ONCE = 64;
/** An answer takes more rows until they are so many bytes. */
const ANSWER_BYTES = 512 * 1024;
const LOOK_EVERY_MS = 25;

const TOO_MUCH_MEMORY = 'it needs more memory than a file of places does';

/** One thread, and a bound on the engine's own buffers for a file of any size: row groups are read one by one. */
const ENGINE = {
  threads: '1',
  memory_limit: '512MB',
  // The engine must not download extensions while it reads a file, nor write to the disk.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  temp_directory: '',
};

/** Reads the columns of the file only: a folder named `id=7` makes no column. */
const ROWS = 'read_parquet($1, hive_partitioning = false)';

async function* answers({ file, wanted, limits }: ParquetRequest): AsyncGenerator<ParquetAnswer> {
  const instance = await engine.DuckDBInstance.create(':memory:', ENGINE);
  const connection = await instance.connect();
  // Geometries stay the bytes that they are stored as.
  await connection.run('set enable_geoparquet_conversion = false');
  const paths = [resolve(file), onlyThis(file)].map((path) => `'${path.replaceAll("'", "''")}'`);
  await connection.run(`set allowed_paths = [${paths.join(', ')}]`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  const { columns, rowCount } = await describe(connection, file, wanted);
  if (columns.length === 0) throw new Error(`it has none of the columns ${wanted.join(', ')}`);
  if (!(rowCount <= limits.rows)) throw new Error(`it has more than ${limits.rows} rows`);
  yield { kind: 'opened', rowCount };
  const list = columns.map((column) => `"${column}"`).join(', ');
  const result = await connection.stream(`select ${list} from ${ROWS}`, [onlyThis(file)]);
  for await (const chunk of result.yieldConvertedRowObjects(convert)) {
    yield* packed(chunk, limits.bytesAtOnce);
  }
  yield { kind: 'end' };
}

/** Rows as answers of bounded size. */
function* packed(chunk: readonly object[], bytesAtOnce: number): Generator<ParquetAnswer> {
  let pieces: Uint8Array[] = [];
  let count = 0;
  let bytes = 0;
  for (let at = 0; at < chunk.length; at += ROWS_AT_ONCE) {
    const some = chunk.slice(at, at + ROWS_AT_ONCE);
    const piece = serialize(some);
    if (piece.length > bytesAtOnce) {
      throw new Error(`${some.length} of its rows in succession hold more than ${bytesAtOnce} bytes`);
    }
    pieces.push(piece);
    count += some.length;
    bytes += piece.length;
    if (bytes < ANSWER_BYTES && at + ROWS_AT_ONCE < chunk.length) continue;
    yield { kind: 'rows', pieces, count };
    [pieces, count, bytes] = [[], 0, 0];
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

async function describe(connection: engine.DuckDBConnection, file: string, wanted: readonly string[]) {
  const described = await connection.runAndReadAll(`describe select * from ${ROWS}`, [onlyThis(file)]);
  const there = new Set(described.getRowObjects().map((row) => String(row.column_name)));
  const counted = await connection.runAndReadAll(
    'select sum(num_rows)::double as row_count from parquet_file_metadata($1)',
    [onlyThis(file)],
  );
  const rowCount = Number(counted.getRowObjects()[0]?.row_count ?? 0);
  return { columns: wanted.filter((column) => there.has(column)), rowCount };
}

const toJson = engine.JsonDuckDBValueConverter as engine.DuckDBValueConverter<unknown>;

const convert: engine.DuckDBValueConverter<unknown> = (value, type, converter) =>
  value instanceof engine.DuckDBBlobValue ? value.bytes : toJson(value, type, converter);

/** The engine's work runs on other threads, so that this look at the memory comes in time. */
function boundMemory(memoryBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes) fail(TOO_MUCH_MEMORY);
  }, LOOK_EVERY_MS).unref();
}

function send(answer: ParquetAnswer): void {
  process.send?.(answer);
}

/** Ends at once: the engine cannot be stopped within a statement. */
function fail(reason: string): void {
  process.send?.({ kind: 'failed', reason } satisfies ParquetAnswer, () => process.exit(1));
}

process.on('disconnect', () => process.exit(0));
process.once('message', (request: ParquetRequest) => {
  boundMemory(request.limits.memoryBytes);
  const stream = answers(request);
  const next = () =>
    stream.next().then(
      ({ value }) => value && send(value),
      (error: unknown) => fail(errorMessage(error)),
    );
  process.on('message', next);
  void next();
});
