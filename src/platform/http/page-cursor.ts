import type { Fault } from './refusal.ts';
import { invalidRequest } from './request-schema.ts';

/*
 * Page cursors: the position where a list continues, as JSON in base64url. Opaque to clients, but neither secret nor
 * signed, so readers check each value.
 */

export type CursorValue = string | number;

export function writeCursor(...position: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads a cursor parameter; refuses text that is not a cursor with `invalid_request`. */
export function readCursor<Position>(
  text: string,
  parameter: Pick<Fault, 'in' | 'name'>,
  parse: (values: readonly CursorValue[]) => Position | undefined,
): Position {
  const values = decodeValues(text);
  const position = values && parse(values);
  if (position === undefined)
    throw invalidRequest([{ ...parameter, message: 'must be the cursor of an earlier answer to the same query' }]);
  return position;
}

function decodeValues(text: string): CursorValue[] | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) && values.every(isValue) ? values : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isValue = (value: unknown): value is CursorValue => typeof value === 'string' || Number.isSafeInteger(value);

/** Reads a number of a position between 0 and `max`; undefined for anything else. */
export function boundedCount(max: number, value: CursorValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= max ? value : undefined;
}
