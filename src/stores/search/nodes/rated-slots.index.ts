import { BLOCK_SIZE, NONE, SLOT_BITS, SLOT_MASK, type SpatialTree } from '../spatial-tree.ts';
import { countOfNode } from './node-filter.ts';
import { type RatedSlots, WORDS_OF_LISTED } from './rated-slots.ts';
import { fiftiethsOf, WORDS_OF_SLOT } from './slot-traits.ts';

const RATINGS = 256;

/** A list is made when a search first asks for it, in some microseconds, and kept until its node is forgotten. */
export function createRatedSlots(tree: SpatialTree): RatedSlots {
  const lists = new Map<number, Uint32Array>();
  /** Scratch, by rating in fiftieths: the number of stores, then where the next of these stores goes in the list. */
  const positions = new Uint32Array(RATINGS);

  function listOf(node: number): Uint32Array {
    positions.fill(0);
    visitSlotsOf(tree, node, (trait) => {
      positions[fiftiethsOf(trait)] = (positions[fiftiethsOf(trait)] as number) + 1;
    });
    for (let rating = RATINGS - 1, position = 0; rating >= 0; rating -= 1) {
      const stores = positions[rating] as number;
      positions[rating] = position;
      position += stores;
    }
    const list = new Uint32Array(countOfNode(tree.summaries, node) * WORDS_OF_LISTED);
    visitSlotsOf(tree, node, (trait, cuisines, slot) => {
      const position = positions[fiftiethsOf(trait)] as number;
      positions[fiftiethsOf(trait)] = position + 1;
      list.set([trait, cuisines, slot], position * WORDS_OF_LISTED);
    });
    return list;
  }

  return {
    of(node) {
      const known = lists.get(node);
      if (known !== undefined) return known;
      const list = listOf(node);
      lists.set(node, list);
      return list;
    },
    forget: (node) => void lists.delete(node),
  };
}

function visitSlotsOf(
  tree: SpatialTree,
  top: number,
  visit: (trait: number, cuisines: number, slot: number) => void,
): void {
  const nodes = [top];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    const child = tree.firstChild[node] as number;
    if (child !== NONE) {
      nodes.push(child + 1, child);
      continue;
    }
    for (let block = tree.firstBlock[node] as number; block !== NONE; block = tree.nextBlock[block] as number) {
      const start = block * BLOCK_SIZE;
      const traits = tree.traits[start >>> SLOT_BITS] as Uint32Array;
      for (let slot = start; slot < start + (tree.blockSizes[block] as number); slot += 1) {
        const at = (slot & SLOT_MASK) * WORDS_OF_SLOT;
        visit(traits[at] as number, traits[at + 1] as number, slot);
      }
    }
  }
}
