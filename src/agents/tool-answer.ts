import { formatPrice } from '../lib/money.ts';
import type { ToolData } from './tool.ts';

/**
 * Bytes of the structured content of one answer as JSON, some four thousand tokens. The answer repeats the JSON as a text
 * for clients that show a model nothing else; a text has at most two bytes for each byte of the JSON.
 */
export const MAX_DATA_BYTES = 12 * 1024;
/** Bytes that the lists of one answer share; the rest is left to the members around them. */
export const LIST_BYTES = 9 * 1024;

/** A tool's result as the protocol has it. */
export type ToolResult = {
  content: [{ type: 'text'; text: string }];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/** The first of several answers to a call that is within the bound; the last is short by its making. */
export function firstWithinBound(...answers: (() => ToolData)[]): ToolData {
  const within = answers.values().map((answer) => answer());
  return within.find((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES) ?? {};
}

/** The result of a call. Throws a RangeError for data beyond the bound: a tool cuts its lists itself. */
export function resultOf(data: ToolData, isError: boolean): ToolResult {
  const text = JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_DATA_BYTES) throw new RangeError(`the answer of a tool has ${bytes} bytes`);
  return { content: [{ type: 'text', text }], structuredContent: { ...data }, ...(isError ? { isError: true } : {}) };
}

/** The first entries whose JSON has at most so many bytes together; one entry at least, where there is one. */
export function fitting<Entry>(entries: readonly Entry[], maxBytes: number): Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, nth) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return nth > 0 && bytes > maxBytes;
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** At most so many characters of a text that a store or a customer wrote. */
export function clip(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** An amount in whole cents and as people write it: `total_cents: 1234, total: "$12.34"`. */
export function money<Name extends string>(
  name: Name,
  cents: number,
): { [Key in Name as `${Key}_cents`]: number } & { [Key in Name]: string } {
  return { [`${name}_cents`]: cents, [name]: formatPrice(cents) } as never;
}

/** The currency of a country's stores. */
export function currencyOf(country: 'US' | 'CA'): 'USD' | 'CAD' {
  return country === 'CA' ? 'CAD' : 'USD';
}
