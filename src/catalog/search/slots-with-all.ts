import { keepCommonBits } from '../../lib/columns/number-sets.ts';
import type { IndexesByTerm, SlotBits } from './indexes-by-term.index.ts';
import type { TermMatches } from './term-matches.ts';

/** Slots of the indexes that have a term for each word; null without a word. */
export function slotsWithAll(
  { withAnyOf }: Pick<IndexesByTerm, 'withAnyOf'>,
  words: readonly Pick<TermMatches, 'termIds'>[],
): SlotBits | null {
  let slots: SlotBits | null = null;
  for (const { termIds } of words) {
    const ofWord = withAnyOf(termIds);
    if (slots === null) slots = ofWord;
    else keepCommonBits(slots, ofWord);
  }
  return slots;
}
