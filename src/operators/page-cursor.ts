import { invalidRequest } from '../http/request-schema.ts';
import { parseMoment } from '../lib/time.ts';

/** The last row of a page in a list that is sorted by a moment and an id. */
export type Cursor = { at: Temporal.Instant; id: string };

const FORM = /^([0-9TZ:.+-]{1,40})~([\w-]{1,64})$/;

/** A cursor as text, for `before` of the next page. */
export function cursorText({ at, id }: Cursor): string {
  return `${at}~${id}`;
}

/** Reads `before`. Refuses a text that no page has named with invalid_request. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, moment = '', id = ''] = FORM.exec(text) ?? [];
  try {
    return { at: parseMoment(moment), id };
  } catch {
    throw invalidRequest([{ in: 'query', name: 'before', message: 'must be the `next` of an earlier page' }]);
  }
}

/** The rows of a page, and the cursor of the next one, from one row more than the page holds. */
export function pageOf<Row>(rows: readonly Row[], size: number, cursorOf: (row: Row) => Cursor) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last ? cursorText(cursorOf(last)) : null };
}
