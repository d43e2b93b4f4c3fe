import { hash } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../source-files.ts';

/** The recorded answers that the API description uses as examples. */
export const ANSWERS_FILE = join(ROOT, 'src/surfaces/docs/example-answers.json');

/** Maximum entries of a list of objects, and of a list of plain values. */
const MAX_OBJECTS = 1;
const MAX_VALUES = 3;
const MAX_CHARACTERS = 160;
/** A test service's own address, which the recorded answers replace by the demo's. */
const OWN_ADDRESS = 'http://127.0.0.1:0';
const DEMO_ADDRESS = 'http://127.0.0.1:8080';
/** Keys, secrets, sealed tokens and random ids, recognized by prefix or length. */
const TOKEN = /\bwhsec_[\w+/=]+|\b(?:ds_[a-z]+|[a-z]{2,5})_[\w-]{8,}|\b[\w-]{16,}/g;
const PREFIX = /^(?:whsec_|ds_[a-z]+_|[a-z]{2,5}_)?/;
/** Long answers that are published elsewhere: the API description itself, and all documents as text. */
const OMITTED_OPERATIONS = ['readOpenApi', 'readDocsWords'];

/** The answers as documented: lists and long texts truncated, random values replaced by stable ones. */
export function shownAnswers(answers: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const known = new Map<string, string>();
  const shown = (text: string) =>
    text
      .replaceAll(OWN_ADDRESS, DEMO_ADDRESS)
      .replace(TOKEN, (token) => (isRandom(token) ? stableFor(known, token) : token));
  const kept = [...answers].filter(([id]) => !OMITTED_OPERATIONS.includes(id)).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(kept.map(([id, answer]) => [id, cut(answer, shown)]));
}

function stableFor(known: Map<string, string>, token: string): string {
  const found = known.get(token) ?? tokenLike(token, known.size);
  known.set(token, found);
  return found;
}

/** Unlike tokens, words and names have letters of one case, and timestamps have no lowercase letter. */
function isRandom(token: string): boolean {
  const tail = token.replace(PREFIX, '');
  if (token.startsWith('whsec_')) return true;
  const kinds = tail === token ? [/[a-z]/, /[A-Z]/, /\d/] : [/[a-z]/, /[A-Z]/];
  return kinds.every((kind) => kind.test(tail));
}

/** A token of the same prefix and length, the same in every run. */
function tokenLike(token: string, nth: number): string {
  const [prefix = ''] = PREFIX.exec(token) ?? [];
  const length = token.length - prefix.length;
  const letters = Array.from({ length: Math.ceil(length / 40) }, (_, part) => hash('sha1', `${nth} ${part}`)).join('');
  return `${prefix}${letters.slice(0, length)}`;
}

function cut(value: unknown, shown: (text: string) => string): unknown {
  if (typeof value === 'string') {
    const text = shown(value);
    return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  }
  if (Array.isArray(value)) {
    const most = value.some((each) => typeof each === 'object' && each !== null) ? MAX_OBJECTS : MAX_VALUES;
    return value.slice(0, most).map((each) => cut(each, shown));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, shown)]));
}
