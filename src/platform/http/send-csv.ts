import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type TUnsafe, Type } from 'typebox';
import { csvRecord } from '../lib/csv.ts';
import { contentAnswer } from './content-answers.ts';

/** Marks the text as UTF-8 for spreadsheet programs. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell of a row. Amounts are numbers. */
export type CsvCell = string | number;

/** Whole cents as a number of dollars: 12.34. */
export const csvAmount = (cents: number) => cents / 100;

/** The CSV answer in the API description. */
export function csvAnswer(description: string): TUnsafe<Readable> {
  return Type.Unsafe<Readable>(contentAnswer(description, ['text/csv']));
}

/** Rows are written in batches, so that a long table is never in memory as a whole. */
export type CsvBatches = AsyncIterable<readonly (readonly CsvCell[])[]>;

/** Streams a table as a download. A reader that stops holds one batch. `fileName` is plain ASCII. */
export function sendCsv(
  reply: FastifyReply,
  { fileName, head, batches }: { fileName: string; head: readonly string[]; batches: CsvBatches },
): Readable {
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${fileName}"`);
  reply.header('cache-control', 'no-store');
  return Readable.from(textOf(head, batches), { objectMode: false });
}

async function* textOf(head: readonly string[], batches: CsvBatches): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(head);
  for await (const rows of batches) if (rows.length > 0) yield rows.map(csvRecord).join('');
}
