import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { type CsvTable, csvText } from '../lib/csv.ts';
import { contentAnswer } from './content-answers.ts';

/** Marks the text as UTF-8 for spreadsheet programs. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The response of an operation that is a download. */
export class TextFile {
  readonly name: string;
  /** The text of the file, a batch at a time. */
  readonly text: AsyncIterable<string>;
  constructor(name: string, text: AsyncIterable<string>) {
    this.name = name;
    this.text = text;
  }
}

const fileAnswer = (type: string) => (description: string) => Type.Unsafe<TextFile>(contentAnswer(description, [type]));
export const csvFileAnswer = fileAnswer('text/csv');
export const textFileAnswer = fileAnswer('text/plain');

export const csvFile = (name: string, table: CsvTable) => new TextFile(name, csvText(table));

/** Streams a download. If the client stops reading, only one batch waits in memory. */
export function sendTextFile(reply: FastifyReply, { name, text }: TextFile): Readable {
  const isCsv = name.endsWith('.csv');
  reply.type(isCsv ? 'text/csv' : 'text/plain').header('content-disposition', `attachment; filename="${name}"`);
  return Readable.from(isCsv ? markedText(text) : text, { objectMode: false });
}

async function* markedText(text: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* text;
}
