import { Type } from 'typebox';
import { parseMoment } from '../lib/time.ts';
import { optionalText, orNull } from './api-components.ts';
import { readCursor, writeCursor } from './page-cursor.ts';

/* Pages of lists that are sorted by moment and id: their query, their cursor, and where the next one begins. */

export const BEFORE = optionalText(120, "The previous page's `next`.");
export const NEXT = orNull(Type.String(), 'Send it as `before` to get the next page. Null on the last page.');

/** The last row of a page that is sorted by moment and id. */
export type ListCursor = { at: Temporal.Instant; id: string };

/** Reads `before`; refuses any text that is not a cursor with `invalid_request`. */
export function readBefore(text: string | undefined): ListCursor | undefined {
  if (text === undefined) return undefined;
  return readCursor(text, { in: 'query', name: 'before' }, ([moment, id, ...more]) => {
    if (typeof moment !== 'string' || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || more.length > 0)
      return undefined;
    const at = parseMoment(moment);
    return at && { at, id };
  });
}

export const listCursor = ({ at, id }: ListCursor): string => writeCursor(`${at}`, id);

/** Splits rows into a page and the start of the next one. Expects one row more than the page size. */
export function cutPage<Row, Next>(rows: readonly Row[], size: number, nextAfter: (last: Row) => Next) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last !== undefined ? nextAfter(last) : null };
}
