import { gtin14Of } from '../catalog/gtin.ts';
import { unsafeText } from '../http/clean-json.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { MAX_TEXT_LENGTH, wordsOf } from '../lib/text/normalise-text.ts';

/** Lines of a cart: what a household buys at a time, and few enough that every way to split them can be judged. */
export const MOST_CART_LINES = 20;
/** Units of a line: what an order allows of an item. */
export const MOST_LINE_UNITS = 99;
/** Characters of the whole parameter: it must fit into the head of a request. */
export const MAX_CART_QUERY_LENGTH = 8000;

/** One line of a cart: what to look for, as it was asked, and how many units of it. */
export type CartLine = {
  query: string;
  /** The trade item's number where the text is one whose check digit is right; null for words. */
  gtin: number | null;
  quantity: number;
};

const SHAPE = 'must be a JSON object of product query to quantity, such as {"milk":2,"eggs":1}';
const SHOWN_LENGTH = 60;
/** A text of JSON before a colon. In an object whose members are numbers these are the names of its members. */
const MEMBER_NAME = /("(?:[^"\\]|\\.)*")\s*:/g;

/**
 * The lines of a cart search. Throws Refusal `invalid_request` naming `query` with everything that is wrong with it.
 * Two lines are the same when their codes are, in whatever length, or their words, whatever their case, accents and
 * punctuation.
 */
export function parseCartQuery(text: string): CartLine[] {
  if (text.length > MAX_CART_QUERY_LENGTH) refuse(`must have at most ${MAX_CART_QUERY_LENGTH} characters`);
  const members = membersOf(text);
  if (members.length === 0) refuse('must have at least one line');
  if (members.length > MOST_CART_LINES) refuse(`must have at most ${MOST_CART_LINES} lines`);

  const known = new Map<string, string>();
  const faults: string[] = [];
  const lines = members.map(([query, quantity]) => {
    const gtin = gtin14Of(query) ?? null;
    const fault = queryFault(query, gtin, known) ?? quantityFault(quantity);
    if (fault !== undefined) faults.push(`line ${shown(query)} ${fault}`);
    return { query, gtin, quantity: quantity as number };
  });
  if (faults.length > 0) refuse(...faults);
  return lines;
}

function refuse(...messages: string[]): never {
  throw invalidRequest(messages.map((message) => ({ in: 'query', name: 'query', message })));
}

function membersOf(text: string): [string, unknown][] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    refuse(SHAPE);
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) refuse(SHAPE);
  const members = Object.entries(data as object);
  const isFlat = members.every(([, value]) => typeof value === 'number');
  // Of two members with the same name a parser keeps the last and says nothing.
  const names = isFlat ? [...text.matchAll(MEMBER_NAME)].map(([, name]) => JSON.parse(name as string) as string) : [];
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) refuse(`line ${shown(twice)} was given more than once`);
  return members;
}

function queryFault(query: string, gtin: number | null, known: Map<string, string>): string | undefined {
  const unsafe = unsafeText(query);
  if (unsafe !== undefined) return unsafe;
  // An answer has a member for each line: this one would be no member in the hands of many a client.
  if (query === '__proto__') return 'is no product query';
  if (query.length > MAX_TEXT_LENGTH) return `must have at most ${MAX_TEXT_LENGTH} characters`;
  const words = wordsOf(query).join(' ');
  if (words === '') return 'must have a letter or a digit';
  const meaning = gtin === null ? words : `gtin ${gtin}`;
  const same = known.get(meaning);
  if (same !== undefined) return `asks for the same as line ${shown(same)}`;
  known.set(meaning, query);
  return undefined;
}

function quantityFault(quantity: unknown): string | undefined {
  const isGood = Number.isInteger(quantity) && (quantity as number) >= 1 && (quantity as number) <= MOST_LINE_UNITS;
  return isGood ? undefined : `must have a whole quantity from 1 to ${MOST_LINE_UNITS}`;
}

/** No more of the client's own text than tells which line is meant. */
function shown(query: string): string {
  const short = query.length > SHOWN_LENGTH ? `${query.slice(0, SHOWN_LENGTH)}…` : query;
  return JSON.stringify(short.toWellFormed());
}
