import { Type } from 'typebox';

const MAX_PAGE_DIGITS = 10;
const MAX_SKIPPED_DIGITS = 6;

/** The argument of every tool whose answer has pages. */
export const CURSOR = Type.Optional(
  Type.String({
    pattern: `^\\d{1,${MAX_PAGE_DIGITS}}(\\.\\d{1,${MAX_SKIPPED_DIGITS}})?$`,
    maxLength: 20,
    description:
      '`next_cursor` of the page before, with all other arguments as they were; the first page when omitted.',
  }),
);

/** A page of a search, and how many of its entries earlier answers have shown. */
export type Position = { page: number; skipped: number };

export function positionOf(cursor: string | undefined): Position {
  const [page = '0', skipped = '0'] = (cursor ?? '').split('.');
  return { page: Number(page), skipped: Number(skipped) };
}

/** The cursor of the answer that begins at a position. */
export function cursorOf({ page, skipped }: Position): string {
  return skipped === 0 ? String(page) : `${page}.${skipped}`;
}
