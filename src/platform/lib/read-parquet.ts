import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { COMPILE_CACHE_ENV } from './compile-cache.ts';
import type { ParquetAnswer, ParquetBlock, ParquetLimits, ParquetRequest } from './parquet-process.ts';
import { fileSize, type ReadProgress, wrapReadErrors } from './read-bytes.ts';

/** A row by column: texts, numbers, lists and objects as in JSON; bytes are a Uint8Array. */
export type ParquetRow = Readonly<Record<string, unknown>>;

export type ParquetStream = {
  /** The rows in file order, in batches. Throws UnreadableFile. */
  rows: AsyncGenerator<ParquetRow[]>;
  progress(): ReadProgress;
};

/** Limits far above real files (docs/adr/0020-parquet-in-a-process-of-its-own.md). */
export const PARQUET_LIMITS: ParquetLimits = {
  rows: 1_000_000_000,
  bytesAtOnce: 16 * 1024 * 1024,
  heapMb: 1024,
  answerMs: 300_000,
};

const PROCESS = join(import.meta.dirname, 'parquet-process.ts');
const TRUNCATED_FILE =
  'the process that reads Parquet broke off: the file is damaged, or needs more memory than a file of places does';

/**
 * Opens a Parquet file and reads those of the wanted columns that exist, in a child process. A crafted file that fills
 * the process's heap ends in UnreadableFile.
 */
export async function openParquet(
  file: string,
  wanted: readonly string[],
  limits: ParquetLimits = PARQUET_LIMITS,
): Promise<ParquetStream> {
  const bytesTotal = await fileSize(file);
  let share = 0;
  const rows = wrapReadErrors(
    file,
    readRows({ file, wanted, limits }, (read) => (share = read)),
  );
  return { rows, progress: () => ({ bytesRead: Math.round(bytesTotal * share), bytesTotal }) };
}

async function* readRows(request: ParquetRequest, onRead: (share: number) => void): AsyncGenerator<ParquetRow[]> {
  const child = startProcess(request.limits.heapMb);
  try {
    const ask = askerOf(child, request.limits.answerMs);
    const opened = await ask(request);
    if (opened.kind !== 'opened') return;
    const { rowCount, columns } = opened;
    let coming = ask('next');
    for (let read = 0; ; ) {
      const answer = await coming;
      if (answer.kind !== 'rows') return;
      // Requests the next rows while the caller works on these. A failure is thrown at the next read.
      coming = ask('next');
      coming.catch(() => {});
      read += answer.count;
      onRead(rowCount === 0 ? 1 : Math.min(1, read / rowCount));
      yield answer.blocks.flatMap((block) => blockRows(block, columns));
    }
  } finally {
    child.kill('SIGKILL');
  }
}

function blockRows(block: ParquetBlock, columns: readonly string[]): ParquetRow[] {
  const values: unknown[][] = block.map((column) => deserialize(column));
  return (values[0] ?? []).map((_, row) => Object.fromEntries(columns.map((name, at) => [name, values[at]?.[row]])));
}

/** Starts the process with PATH and the compile cache only, because our environment has secrets. */
function startProcess(heapMb: number): ChildProcess {
  const child = fork(PROCESS, [], {
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { PATH: process.env.PATH ?? '', ...COMPILE_CACHE_ENV },
    serialization: 'advanced',
    // Discards V8's report of a full heap.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => {});
  return child;
}

/** Sends a message and awaits its answer; throws the reason of a failure, or a time-out. */
function askerOf(child: ChildProcess, answerMs: number): (message: ParquetRequest | 'next') => Promise<ParquetAnswer> {
  return async (message) => {
    const { promise, resolve, reject } = Promise.withResolvers<ParquetAnswer>();
    const breakOff = () => reject(new Error(TRUNCATED_FILE));
    const late = new AbortController();
    child.once('message', resolve).once('exit', breakOff);
    try {
      if (!child.connected) breakOff();
      else child.send(message, (error) => error && breakOff());
      pause(answerMs, undefined, { signal: late.signal }).then(
        () => reject(new Error(`the next of its rows took longer than ${answerMs / 1000} s`)),
        () => {},
      );
      const answer = await promise;
      if (answer.kind === 'failed') throw new Error(answer.reason);
      return answer;
    } finally {
      late.abort();
      child.off('message', resolve).off('exit', breakOff);
    }
  };
}
