import type { Sql } from '../db/connect.ts';
import type { Slice } from '../lib/slice.ts';
import type { Goods, ShortList } from './candidates.ts';
import { chooseProducts, type LineChoice, type LineMatch } from './choose-products.ts';
import { type ListedGoods, type ListedSeller, listMore } from './list-candidates.flow.ts';
import type { LiveProduct } from './match-cart.ts';
import { noteScarce, type ReadProducts } from './read-products.ts';
import { findScarceProducts } from './scarce-products.db.ts';

/** Products whose stock is asked for by one statement, and for one cart. Nearly always they are one a line and store. */
const MOST_ASKED_AT_ONCE = 5000;
const MOST_ASKED = 20_000;
/** How many times as many of a line are asked for at once after each time that all of them had run short. */
const ASKED_MORE = 4;

/** What a cart is chosen with: the goods, the units of each line, and what the database has said so far. */
export type Choosing = { listed: ListedGoods; quantities: readonly number[]; read: ReadProducts; slice: Slice };

/** A store that waits to be told the stock of products before it can choose. */
type Waiting = { number: number; seller: ListedSeller; productNos: readonly number[]; round: number };

/**
 * What each store has for the lines, however far from what they say, and enough of it; null for a store that would be
 * too much work. A product whose stock is counted is asked for as soon as it is chosen, in every store: with less of it
 * another store might have the best cart. The nearest stores are settled first.
 */
export async function choicesInStock(db: Sql, choosing: Choosing): Promise<(LineChoice[] | null)[]> {
  const { listed, quantities, read, slice } = choosing;
  const choices: (LineChoice[] | null)[] = listed.sellers.map(() => null);
  // Fewer than all units of the cart tells all: whichever lines choose the product, they share what there is.
  const quantity = quantities.reduce((sum, one) => sum + one, 0);
  let waiting: Waiting[] = [];
  /** Chooses, and waits where stock is to be told first. */
  const look = async (number: number, seller: ListedSeller, round: number): Promise<Waiting[]> => {
    if (slice.isOver()) await slice.next();
    const chosen = await chooseGoods(seller, choosing, 0);
    if (chosen === null) return [];
    const productNos = unknownStockOf(listed.goods, seller, chosen, ASKED_MORE ** round);
    if (productNos.length > 0) return [{ number, seller, productNos, round }];
    choices[number] = chosen;
    return [];
  };
  for (const [number, seller] of listed.sellers.entries()) waiting.push(...(await look(number, seller, 0)));
  for (let asked = 0; waiting.length > 0 && asked < MOST_ASKED; ) {
    const together = countWithin(waiting, Math.min(MOST_ASKED_AT_ONCE, MOST_ASKED - asked));
    const told = waiting.slice(0, together);
    const wanted = told.map(({ seller: { seller }, productNos }) => ({ storeId: seller.storeId, productNos }));
    for (const { seller, productNos } of told) {
      for (const productNo of productNos) seller.asked.add(productNo);
      asked += productNos.length;
    }
    noteScarce(read, await findScarceProducts(db, wanted, quantity));
    const still: Waiting[] = [];
    for (const { number, seller, round } of told) still.push(...(await look(number, seller, round + 1)));
    waiting = [...still, ...waiting.slice(together)];
  }
  return choices;
}

/** How many of those that wait, from the first on, want no more products than that together; at least one. */
function countWithin(waiting: readonly Waiting[], most: number): number {
  let products = 0;
  const over = waiting.findIndex(({ productNos }) => {
    products += productNos.length;
    return products > most;
  });
  return over < 0 ? waiting.length : Math.max(1, over);
}

const NOTHING_READ: ReadonlyMap<number, LiveProduct> = new Map();

/**
 * Chooses a store's products for the lines, with as many alternatives as are wanted, from all that was read meanwhile.
 * A list that is used up is made longer; null where that would be too much work, and so it is not known what is best.
 */
export async function chooseGoods(
  one: ListedSeller,
  { listed, quantities, read, slice }: Choosing,
  mostAlternatives: number,
): Promise<LineChoice[] | null> {
  const { goods } = listed;
  const reading = goods.readingOf(read.get(one.seller.storeId) ?? NOTHING_READ);
  for (;;) {
    const numbers = one.lists.map((list) => list.numbers);
    const choices = chooseProducts(numbers, reading, quantities, mostAlternatives);
    const usedUp = [...one.lists.keys()].filter(
      (line) => !isKnown(goods, one, line, choices[line]?.[mostAlternatives]),
    );
    if (usedUp.length === 0) return choices;
    const isLonger = usedUp.map((line) => listMore(listed, one, line)).includes(true);
    if (!isLonger) return usedUp.every((line) => isKnown(goods, one, line, choices[line]?.[0])) ? choices : null;
    if (slice.isOver()) await slice.next();
  }
}

/** Whether nothing that the line's list leaves out can be better; a match of undefined is the lack of one. */
function isKnown(goods: Goods, { lists }: ListedSeller, line: number, match: LineMatch | undefined): boolean {
  const list = lists[line] as ShortList;
  return list.isWhole || (match !== undefined && goods.isWithin(list, match));
}

/**
 * The chosen products whose stock is counted and was not asked for, each with those that come next on its line's list,
 * `most` for a line, up to one whose stock is not counted: that will do.
 */
function unknownStockOf(
  goods: Goods,
  { lists, asked }: ListedSeller,
  choices: readonly LineChoice[],
  most: number,
): number[] {
  const unknown = new Set<number>();
  for (const [line, [chosen]] of choices.entries()) {
    if (!chosen?.isCounted || asked.has(chosen.productNo)) continue;
    const { numbers } = lists[line] as ShortList;
    let left = most;
    for (let at = numbers.findIndex((number) => goods.productNo(number) === chosen.productNo); left > 0; at += 1) {
      const number = numbers[at];
      if (number === undefined || !goods.isCounted(number)) break;
      if (asked.has(goods.productNo(number))) continue;
      unknown.add(goods.productNo(number));
      left -= 1;
    }
  }
  return [...unknown];
}
