import type { Interpretation } from './text-query.ts';

/**
 * A position in sorted stores: key, squared chord and id of the last store in a group of matches. It refers to no
 * segment or version, so it stays valid while stores change.
 */
export type Cursor = {
  group: number;
  key: number;
  chordSquared: number;
  storeId: string;
  /** The interpretation of the text if location words were removed; null for the text as typed. */
  located: Interpretation | null;
};

export type CursorPosition = Pick<Cursor, 'key' | 'chordSquared' | 'storeId'>;

/** Writes the key Infinity, which stands for unknown values, as null: JSON has no Infinity. */
export function encodeCursor({ group, key, chordSquared, storeId, located }: Cursor): string {
  const place = located === null ? [] : [located.words, located.city];
  const fields = [group, key === Infinity ? null : key, chordSquared, storeId, ...place];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Returns undefined for a text that is not a cursor. */
export function decodeCursor(text: string): Cursor | undefined {
  const fields = parseList(Buffer.from(text, 'base64url').toString());
  const [group, key, chordSquared, storeId, words, city] = fields;
  if (!Number.isInteger(group) || (group as number) < 0 || typeof storeId !== 'string') return undefined;
  if (typeof chordSquared !== 'number' || (key !== null && typeof key !== 'number')) return undefined;
  const position = { group: group as number, key: key ?? Infinity, chordSquared, storeId };
  if (fields.length === 4) return { ...position, located: null };
  if (fields.length !== 6 || !Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    return undefined;
  if (city !== null && typeof city !== 'string') return undefined;
  return { ...position, located: { words, city } };
}

function parseList(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
