import { MAX_TEXT_LENGTH, splitWords } from 'doorstep/search-engine/text';
import { unsafeText } from '../../platform/http/clean-json.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { gtin14Of } from '../../supply/catalog/gtin.ts';
import { type LineAmount, MAX_LINE_UNITS, readAmount } from './line-amount.ts';

/** Maximum lines per cart: enough for a household, few enough to price at every store. */
export const MAX_CART_LINES = 20;
/** Characters of the whole parameter, which must fit into a request's head. */
export const MAX_CART_QUERY_LENGTH = 8000;

/** One line of a cart: the query as it was sent, and how much of it. */
export type CartLine = {
  query: string;
  /** The query as GTIN-14 if it is a code with a valid check digit; null for words. */
  gtin: number | null;
  amount: LineAmount;
};

const SHAPE = 'must be a JSON object of product query to quantity, such as {"milk":2,"eggs":1}';
const MAX_QUOTED_LENGTH = 60;
/** A JSON string, with the colon that follows a member's name. An open quote matches to the end, to stay linear. */
const JSON_STRING = /("(?:[^"\\]|\\.)*(?:"|$))(\s*:)?/g;

/**
 * Parses the lines of a cart search. Throws `invalid_request` with every error of `query`. Lines are equal if
 * their codes are the same GTIN-14, or their words differ only in case, accents and punctuation.
 */
export function parseCartQuery(text: string): CartLine[] {
  if (text.length > MAX_CART_QUERY_LENGTH) refuse(`must have at most ${MAX_CART_QUERY_LENGTH} characters`);
  const members = jsonMembers(text);
  if (members.length === 0) refuse('must have at least one line');
  if (members.length > MAX_CART_LINES) refuse(`must have at most ${MAX_CART_LINES} lines`);

  const known = new Map<string, string>();
  const faults: string[] = [];
  const lines = members.map(([query, quantity]) => {
    const gtin = gtin14Of(query) ?? null;
    const amount = readAmount(quantity);
    const fault = queryFault(query, gtin, known) ?? (amount ? undefined : QUANTITY_FAULT);
    if (fault !== undefined) faults.push(`line ${shown(query)} ${fault}`);
    return { query, gtin, amount: amount ?? { count: 1 } };
  });
  if (faults.length > 0) refuse(...faults);
  return lines;
}

function refuse(...messages: string[]): never {
  throw invalidRequest(messages.map((message) => ({ in: 'query', name: 'query', message })));
}

function jsonMembers(text: string): [string, unknown][] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    refuse(SHAPE);
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) refuse(SHAPE);
  const members: [string, unknown][] = Object.entries(data);
  const isFlat = members.every(([, value]) => typeof value === 'number' || typeof value === 'string');
  // Parsers silently keep the last of two members with the same name.
  const strings = isFlat ? [...text.matchAll(JSON_STRING)] : [];
  const names = strings.flatMap(([, name = '""', colon]): string[] => (colon ? JSON.parse(name) : []));
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) refuse(`line ${shown(twice)} was given more than once`);
  return members;
}

function queryFault(query: string, gtin: number | null, known: Map<string, string>): string | undefined {
  const unsafe = unsafeText(query);
  if (unsafe !== undefined) return unsafe;
  // The response contains a member per line, and many JSON parsers drop this name.
  if (query === '__proto__') return 'is no product query';
  if (query.length > MAX_TEXT_LENGTH) return `must have at most ${MAX_TEXT_LENGTH} characters`;
  const words = splitWords(query).join(' ');
  if (words === '') return 'must have a letter or a digit';
  const meaning = gtin === null ? words : `gtin ${gtin}`;
  const same = known.get(meaning);
  if (same !== undefined) return `asks for the same as line ${shown(same)}`;
  known.set(meaning, query);
  return undefined;
}

const QUANTITY_FAULT = `must have a whole quantity from 1 to ${MAX_LINE_UNITS}, or an amount such as "1.5 lb"`;

/** Returns the start of the client's text, enough to identify the line. */
function shown(query: string): string {
  const short = query.length > MAX_QUOTED_LENGTH ? `${query.slice(0, MAX_QUOTED_LENGTH)}…` : query;
  return JSON.stringify(short.toWellFormed());
}
