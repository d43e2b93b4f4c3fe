import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type TUnsafe, Type } from 'typebox';
import { type CsvTable, csvText } from '../lib/csv.ts';
import { contentAnswer } from './content-answers.ts';

/** Marks the text as UTF-8 for spreadsheet programs. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The response of an operation that is a download. */
export class CsvFile {
  readonly name: string;
  /** The text of the file, a batch at a time. */
  readonly text: AsyncIterable<string>;
  constructor(name: string, text: AsyncIterable<string>) {
    this.name = name;
    this.text = text;
  }
}

export const csvFileAnswer = (description: string): TUnsafe<CsvFile> =>
  Type.Unsafe<CsvFile>(contentAnswer(description, ['text/csv']));

export const csvFile = (name: string, table: CsvTable) => new CsvFile(name, csvText(table));

/** Streams the text of a table as a download. If the client stops reading, only one batch waits in memory. */
export function sendCsvText(reply: FastifyReply, fileName: string, text: AsyncIterable<string>): Readable {
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${fileName}"`);
  return Readable.from(markedText(text), { objectMode: false });
}

async function* markedText(text: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* text;
}
