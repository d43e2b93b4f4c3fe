import type { SpatialTree } from '../spatial-tree.ts';
import { countOfNode } from './node-filter.ts';
import { createNodeMemo } from './node-memo.index.ts';
import { type RatedSlots, WORDS_OF_LISTED } from './rated-slots.ts';
import { fiftiethsOf } from './slot-traits.ts';
import { visitTraitsUnder } from './visit-slots.ts';

const RATINGS = 256;

/** A list is made when a search first asks for it, in some microseconds, and kept until its node is forgotten. */
export function createRatedSlots(tree: SpatialTree): RatedSlots {
  /** Scratch, by rating in fiftieths: the number of stores, then where the next of these stores goes in the list. */
  const positions = new Uint32Array(RATINGS);

  function listOf(node: number): Uint32Array {
    positions.fill(0);
    visitTraitsUnder(tree, node, (trait) => {
      positions[fiftiethsOf(trait)] = (positions[fiftiethsOf(trait)] as number) + 1;
    });
    for (let rating = RATINGS - 1, position = 0; rating >= 0; rating -= 1) {
      const stores = positions[rating] as number;
      positions[rating] = position;
      position += stores;
    }
    const list = new Uint32Array(countOfNode(tree.summaries, node) * WORDS_OF_LISTED);
    visitTraitsUnder(tree, node, (trait, cuisines, slot) => {
      const position = positions[fiftiethsOf(trait)] as number;
      positions[fiftiethsOf(trait)] = position + 1;
      const at = position * WORDS_OF_LISTED;
      list[at] = trait;
      list[at + 1] = cuisines;
      list[at + 2] = slot;
    });
    return list;
  }

  return createNodeMemo(listOf);
}
