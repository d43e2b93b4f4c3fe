import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { IsolatedProcess, ProcessLost } from '../../../platform/lib/isolated-process.ts';
import { fileSize, type ReadProgress, wrapReadErrors } from '../../../platform/lib/read-bytes.ts';
import type { ParquetAnswer, ParquetBlock, ParquetLimits, ParquetRequest } from './parquet-process.flow.ts';

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

const PROCESS = join(import.meta.dirname, 'parquet-process.flow.ts');
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
  const child = new IsolatedProcess<ParquetRequest | 'next', ParquetAnswer>(PROCESS, request.limits);
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
    child.kill();
  }
}

function blockRows(block: ParquetBlock, columns: readonly string[]): ParquetRow[] {
  const values: unknown[][] = block.map((column) => deserialize(column));
  return (values[0] ?? []).map((_, row) => Object.fromEntries(columns.map((name, at) => [name, values[at]?.[row]])));
}

/** Sends a message and awaits its answer; throws the reason of a failure, or a time-out. */
function askerOf(child: IsolatedProcess<ParquetRequest | 'next', ParquetAnswer>, answerMs: number) {
  return async (message: ParquetRequest | 'next'): Promise<ParquetAnswer> => {
    const answer = await child.ask(message).catch((error: unknown) => {
      if (!(error instanceof ProcessLost)) throw error;
      const late = `the next of its rows took longer than ${answerMs / 1000} s`;
      throw new Error(error.how === 'late' ? late : TRUNCATED_FILE);
    });
    if (answer.kind === 'failed') throw new Error(answer.reason);
    return answer;
  };
}
