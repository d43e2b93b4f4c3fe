import type { Weights } from './partial-query.ts';

/**
 * A position in sorted stores: key, squared chord and last store's id in a group of matches. It refers to no
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
