import { Type } from 'typebox';
import type { ChargeState } from '../../ordering/orders/order.ts';
import { readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import { snakeCase } from '../../platform/lib/snake-case.ts';
import { epochSeconds, parseMoment } from '../../platform/lib/time.ts';

/** Fields and pages that the operator's endpoints share. */

export const moment = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Epoch seconds, or null.` });
export const maybeText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const KEY_MODES = ['live', 'sandbox'] as const;

/** In the sequence of an order's life. */
export const CHARGE_STATES = [
  'none',
  'pending',
  'waiting',
  'charged',
  'declined',
  'refund_pending',
  'refunded',
] as const satisfies readonly ChargeState[];

export const BEFORE = Type.Optional(
  Type.String({ maxLength: 120, description: 'The `next` of the page before: the page after it.' }),
);
export const NEXT = Type.Union([Type.String(), Type.Null()], {
  description: 'The `before` of the next page; null on the last.',
});

/** The last row of a page in a list that is sorted by a moment and an id. */
export type ListCursor = { at: Temporal.Instant; id: string };

/** Reads `before`. Refuses a text that no page has named with invalid_request. */
export function readBefore(text: string | undefined): ListCursor | undefined {
  if (text === undefined) return undefined;
  return readCursor(text, { in: 'query', name: 'before' }, ([moment, id, ...more]) => {
    if (typeof moment !== 'string' || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || more.length > 0)
      return undefined;
    const at = readMoment(moment);
    return at && { at, id };
  });
}

function readMoment(text: string): Temporal.Instant | undefined {
  try {
    return parseMoment(text);
  } catch {
    return undefined;
  }
}

export const listCursor = ({ at, id }: ListCursor): string => writeCursor(`${at}`, id);

/** The rows of a page, and where the next one begins, from one row more than the page holds. */
export function cutPage<Row, Next>(rows: readonly Row[], size: number, nextAfter: (last: Row) => Next) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last !== undefined ? nextAfter(last) : null };
}

/**
 * A row as an answer shows it: names in snake_case, moments in epoch seconds. For rows whose statement selects nothing
 * that the answer must not show.
 */
export const showRow = <Row extends object>(row: Row) => snakeCase(row, epochSeconds);
