import { grownUint32 } from '../columns/grow.ts';
import { letterMask, MAX_TYPO_WORD_LENGTH } from './typo-distance.ts';

/** Terms in rows of one length, each with the mask of its letters: what a search for typos can rule out unread. */
export type TermsByLength = {
  /** A term longer than `MAX_TYPO_WORD_LENGTH` is left out: no typo of such a term is forgiven. */
  add(termId: number, term: string): void;
  remove(termId: number, term: string): void;
  /**
   * Visits the terms whose lengths and letters allow that so many typos make the word of them: all such terms, and a few
   * others.
   */
  visitNear(word: string, maxTypos: number, visit: (termId: number) => void): void;
};

/** The terms of one length, unsorted. */
type Row = { termIds: Uint32Array; masks: Uint32Array; count: number };

const FIRST_LENGTH = 16;

export function createTermsByLength(): TermsByLength {
  const rows = Array.from({ length: MAX_TYPO_WORD_LENGTH + 1 }, emptyRow);
  /** Position of each number in its row. */
  let positions = new Uint32Array(1024);

  return {
    add(termId, term) {
      const row = rows[term.length];
      if (!row) return;
      if (termId >= positions.length) positions = grownUint32(positions, termId + 1);
      positions[termId] = append(row, termId, letterMask(term));
    },
    remove(termId, term) {
      const row = rows[term.length];
      if (!row) return;
      // The last term of the row takes the free position: a row may hold a hundred thousand terms.
      const position = positions[termId] as number;
      row.count -= 1;
      const last = row.termIds[row.count] as number;
      row.termIds[position] = last;
      row.masks[position] = row.masks[row.count] as number;
      positions[last] = position;
    },
    visitNear(word, maxTypos, visit) {
      const mask = letterMask(word);
      const longest = Math.min(MAX_TYPO_WORD_LENGTH, word.length + maxTypos);
      for (let length = Math.max(1, word.length - maxTypos); length <= longest; length += 1) {
        // A missing letter changes one bit of a mask, any other typo two: a different length takes its share of typos.
        const maxBits = 2 * maxTypos - Math.abs(length - word.length);
        visitRow(rows[length] as Row, mask, maxBits, visit);
      }
    },
  };
}

function emptyRow(): Row {
  return { termIds: new Uint32Array(FIRST_LENGTH), masks: new Uint32Array(FIRST_LENGTH), count: 0 };
}

/** Returns the position. */
function append(row: Row, termId: number, mask: number): number {
  if (row.count === row.termIds.length) {
    row.termIds = grownUint32(row.termIds, row.count + 1);
    row.masks = grownUint32(row.masks, row.count + 1);
  }
  row.termIds[row.count] = termId;
  row.masks[row.count] = mask;
  row.count += 1;
  return row.count - 1;
}

/** Visits the terms whose masks differ from a mask in at most `maxBits` bits, at about a nanosecond a term. */
function visitRow(
  { termIds, masks, count }: Row,
  mask: number,
  maxBits: number,
  visit: (termId: number) => void,
): void {
  for (let at = 0; at < count; at += 1) {
    let bits = (masks[at] as number) ^ mask;
    for (let left = maxBits; left > 0; left -= 1) bits &= bits - 1;
    if (bits === 0) visit(termIds[at] as number);
  }
}
