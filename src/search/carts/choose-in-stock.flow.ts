import type { Sandbox } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { findScarceProducts } from '../../supply/catalog/stock.db.ts';
import {
  type Candidate,
  chooseProducts,
  isBetter,
  type LineMatch,
  type LiveProduct,
  type RankedMatches,
} from './choose-products.ts';
import { type LineAmount, maxUnitsOf } from './line-amount.ts';
import { type LineList, type ListedCandidates, type ListedSeller, listMore } from './list-candidates.flow.ts';
import { type ReadProducts, recordScarce } from './read-products.ts';

/** Maximum products per statement and cart whose stock is read; usually one per line and store. */
const MAX_READS_PER_STATEMENT = 5000;
const MAX_STOCK_READS = 20_000;
/** Growth factor of a line's stock reads after a round where all read products ran short. */
const READ_GROWTH_FACTOR = 4;

/** Inputs of the choice: the candidates, how much each line asks for, and the products read so far. */
export type ChoiceInputs = { listed: ListedCandidates; amounts: readonly LineAmount[]; read: ReadProducts };

/** The chosen candidate of each line; undefined if the store lacks the line. */
export type ChosenCandidates = readonly (Candidate | undefined)[];

type WaitingSeller = { seller: ListedSeller; productNos: readonly number[]; round: number };

/**
 * Chooses products with enough stock for all lines at each store, nearest stores first. A store that needs too much
 * work has no entry. Reads the stock of every chosen product with counted stock, because otherwise another store might
 * be best.
 */
export async function choicesInStock(
  db: Sql,
  sandbox: Sandbox,
  inputs: ChoiceInputs,
): Promise<Map<ListedSeller, ChosenCandidates>> {
  const { listed, amounts, read } = inputs;
  const choices = new Map<ListedSeller, ChosenCandidates>();
  /** Sets the choices of these stores; returns the stores that wait for stock. */
  const choose = async (sellers: readonly Omit<WaitingSeller, 'productNos'>[]): Promise<WaitingSeller[]> => {
    const waiting: WaitingSeller[] = [];
    for (const { seller, round } of sellers) {
      if (isSliceOver()) await nextSlice();
      const chosen = await chooseWithoutAlternatives(seller, inputs);
      if (chosen === null) continue;
      const productNos = unknownStockOf(seller, chosen, READ_GROWTH_FACTOR ** round);
      if (productNos.length > 0) waiting.push({ seller, productNos, round: round + 1 });
      else choices.set(seller, chosen);
    }
    return waiting;
  };
  // Stock is compared with the cart's total units, because several lines may choose the same product.
  const units = amounts.reduce((sum, amount) => sum + maxUnitsOf(amount), 0);
  let waiting = await choose(listed.sellers.map((seller) => ({ seller, round: 0 })));
  for (let readCount = 0; waiting.length > 0 && readCount < MAX_STOCK_READS; ) {
    const count = countFitting(waiting, Math.min(MAX_READS_PER_STATEMENT, MAX_STOCK_READS - readCount));
    const batch = waiting.slice(0, count);
    for (const { seller, productNos } of batch) {
      seller.stockRead = new Set([...seller.stockRead, ...productNos]);
      readCount += productNos.length;
    }
    const wanted = batch.map(({ seller: { storeId }, productNos }) => ({ storeId, productNos }));
    recordScarce(read, await findScarceProducts(db, wanted, { quantity: units, sandbox }));
    await nextSlice();
    waiting = [...(await choose(batch)), ...waiting.slice(count)];
  }
  return choices;
}

/** Chooses like `chooseCandidates`, without alternatives. Before any product is read, first candidates are best. */
async function chooseWithoutAlternatives(seller: ListedSeller, inputs: ChoiceInputs): Promise<ChosenCandidates | null> {
  if (!inputs.read.has(seller.storeId)) return seller.lists.map(({ candidates }) => candidates[0]);
  const choices = await chooseCandidates(seller, inputs, 0);
  if (choices === null) return null;
  return seller.lists.map(({ candidates }, line) => {
    const chosen = choices[line]?.[0];
    return chosen && candidates.find(({ productNo }) => productNo === chosen.productNo);
  });
}

/** Returns the number of waiting stores, from the first, that need up to `max` products together; at least one. */
function countFitting(waiting: readonly WaitingSeller[], max: number): number {
  let products = 0;
  const over = waiting.findIndex(({ productNos }) => {
    products += productNos.length;
    return products > max;
  });
  return over < 0 ? waiting.length : Math.max(1, over);
}

const NOTHING_READ: ReadonlyMap<number, LiveProduct> = new Map();

/**
 * Chooses a store's products for the lines from the products read so far, with up to `maxAlternatives` alternatives.
 * Extends a list whose candidates all ran short; null if that is too much work.
 */
export async function chooseCandidates(
  seller: ListedSeller,
  { listed, amounts, read }: ChoiceInputs,
  maxAlternatives: number,
): Promise<RankedMatches[] | null> {
  const live = read.get(seller.storeId) ?? NOTHING_READ;
  for (;;) {
    const byLine = seller.lists.map(({ candidates }) => candidates);
    const choices = chooseProducts(byLine, live, amounts, maxAlternatives);
    const usedUp = [...seller.lists.entries()].filter(
      ([line, list]) => !isKnown(list, choices[line]?.[maxAlternatives]),
    );
    if (usedUp.length === 0) return choices;
    const isLonger = usedUp.map(([, list]) => listMore(listed, list)).includes(true);
    if (!isLonger) {
      return usedUp.every(([line, list]) => isKnown(list, choices[line]?.[0])) ? choices : null;
    }
    if (isSliceOver()) await nextSlice();
  }
}

/** Whether no candidate outside of the list can be better than the match, or fill a line without one. */
function isKnown({ candidates, isComplete }: LineList, match: LineMatch | undefined): boolean {
  const last = candidates.at(-1);
  return isComplete || (match !== undefined && last !== undefined && !isBetter(last, match));
}

/**
 * Returns the products whose stock must be read. For a line whose chosen product has unread counted stock, these are
 * the product and the line's next candidates, up to `limit`. A candidate without counted stock is always available, so
 * the list ends before it.
 */
function unknownStockOf({ lists, stockRead }: ListedSeller, chosen: ChosenCandidates, limit: number): number[] {
  const unknown = new Set<number>();
  for (const [line, { candidates }] of lists.entries()) {
    const first = chosen[line];
    if (!first?.isCounted || stockRead.has(first.productNo)) continue;
    let left = limit;
    for (let at = candidates.indexOf(first); left > 0; at += 1) {
      const candidate = candidates[at];
      if (!candidate?.isCounted) break;
      if (stockRead.has(candidate.productNo)) continue;
      unknown.add(candidate.productNo);
      left -= 1;
    }
  }
  return [...unknown];
}
