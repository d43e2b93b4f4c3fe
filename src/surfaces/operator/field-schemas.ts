import { Type } from 'typebox';
import { optionalText, orNull } from '../../platform/http/api-components.ts';
import { readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { epochSeconds, parseMoment } from '../../platform/lib/time.ts';

/** Fields and pages shared by operators' endpoints. */

export const moment = (description: string) => orNull(Type.Integer(), `${description} Epoch seconds, or null.`);
export const maybeText = (description: string, maxLength?: number) =>
  orNull(Type.String(maxLength === undefined ? {} : { maxLength }), description);

/** Of a change that costs money. */
export const REASON = Type.String({
  maxLength: 200,
  pattern: '\\S',
  description: 'Why; the history keeps it.',
});

export const KEY_MODES = ['live', 'sandbox'] as const;

export const BEFORE = optionalText(120, 'The `next` of the page before: the page after it.');
export const NEXT = orNull(Type.String(), 'The `before` of the next page; null on the last.');

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

/** Converts a row to an answer with snake_case names and epoch seconds. Only for statements that select no secrets. */
export const showRow = <Row extends object>(row: Row) => snakeCase(row, epochSeconds);
