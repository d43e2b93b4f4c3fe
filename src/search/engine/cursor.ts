import type { Weights } from './partial-query.ts';

/**
 * A position in sorted stores: key, squared chord and id of the last store in a group of matches. It refers to no
 * segment or version, so it stays valid while stores change.
 */
export type Cursor = {
  group: number;
  key: number;
  chordSquared: number;
  storeId: string;
  /** The weights of the words if the stores match only some of them. */
  weights: Weights | null;
};

export type CursorPosition = Pick<Cursor, 'key' | 'chordSquared' | 'storeId'>;

/** Writes the key Infinity, which stands for unknown values, as null: JSON has no Infinity. */
export function encodeCursor({ group, key, chordSquared, storeId, weights }: Cursor): string {
  const fields = [group, key === Infinity ? null : key, chordSquared, storeId, weights];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Returns undefined for a text that is not a cursor. */
export function decodeCursor(text: string): Cursor | undefined {
  const fields = parseList(Buffer.from(text, 'base64url').toString());
  const [group, key, chordSquared, storeId, weights] = fields;
  if (!Number.isInteger(group) || (group as number) < 0 || typeof storeId !== 'string') return undefined;
  if (typeof chordSquared !== 'number' || (key !== null && typeof key !== 'number')) return undefined;
  if (weights !== null && !(Array.isArray(weights) && weights.every((weight) => Number.isInteger(weight)))) {
    return undefined;
  }
  return { group: group as number, key: key ?? Infinity, chordSquared, storeId, weights };
}

function parseList(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
