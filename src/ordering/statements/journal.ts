import { dollars } from '../../platform/lib/csv.ts';
import { sumCents } from '../../platform/lib/money.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import type { Order } from '../order/order.ts';
import { type Amounts, OWNED } from './ledger-entry.ts';
import type { StatementLine, StoreTotals } from './statements.db.ts';

/**
 * A statement as a plain-text journal that hledger reads: each entry moves an order's charges less refunds to their
 * owners. At the end two sums from elsewhere must agree with it: what each order's log says was charged less refunded,
 * and the store's total.
 */

/** An entry. `beforeCents`: its order's balance before the journal. */
export type JournalEntry = Amounts & Pick<StatementLine, 'orderId' | 'date' | 'kind'> & { beforeCents: number };

/** What an order was charged less refunds, by its log right after an event; null while more is to be refunded. */
export function keptAfter(
  type: string,
  { kind }: Pick<JournalEntry, 'kind'>,
  { chargedCents, refundedCents, refundingCents }: Pick<Order, 'chargedCents' | 'refundedCents' | 'refundingCents'>,
): number | null {
  // The excess of a charged maximum is refunded next.
  const isExcess = type === 'order.captured' && kind === 'adjustment';
  return refundingCents > 0 || isExcess ? null : chargedCents - refundedCents;
}

type JournalStore = Pick<StoreTotals, 'storeId' | 'storeCents' | 'country'>;
type Posting = readonly [account: string, cents: number, mustBe?: number];

/** An entry of one of a store's orders, after the order's balance of earlier months. */
export function journalEntry(entry: JournalEntry, storeId: string, currency: string): string {
  const { date, kind, orderId, beforeCents, taxLines } = entry;
  const order = `order:${orderId}`;
  const owners: Posting[] = [
    [`store:${storeId}`, entry.storeCents],
    ['driver', entry.driverCents],
    ['operator', entry.operatorCents],
    ['account', entry.accountCents + entry.accountDiscountCents],
    ...taxLines.map(({ name, cents }): Posting => [`tax:${accountName(name)}`, cents]),
  ];
  const cents = sumCents(OWNED.map((name) => entry[name]));
  const opening = [order, 'opening'].map((account, at): Posting => [account, at === 0 ? beforeCents : -beforeCents]);
  const postings: Posting[] = [[order, cents], ...owners.map(([owner, share]): Posting => [owner, -share])];
  return `${beforeCents === 0 ? '' : written(date, 'opening', opening, currency)}${written(date, kind, postings, currency)}`;
}

/** The end of a store's journal: the balances of its orders, by their logs, and its share of the month. */
export function journalEnd(store: JournalStore, date: string, kept: ReadonlyMap<string, number | null>): string {
  const orders = [...kept].flatMap(([id, cents]): Posting[] => (cents === null ? [] : [[`order:${id}`, 0, cents]]));
  const total: Posting = [`store:${store.storeId}`, 0, -store.storeCents];
  return written(date, 'total', [...orders, total], currencyOf(store.country));
}

function written(date: string, what: string, postings: readonly Posting[], currency: string): string {
  const amount = (cents: number) => `${dollars(cents)} ${currency}`;
  const lines = postings
    .filter(([, cents, mustBe]) => cents !== 0 || mustBe !== undefined)
    .map(
      ([account, cents, must]) => `    ${account}  ${amount(cents)}${must === undefined ? '' : ` = ${amount(must)}`}\n`,
    );
  return `${date} ${what}\n${lines.join('')}\n`;
}

/** A tax's name may contain any text, and hledger reads two spaces, `;` and `:` as its own. */
const accountName = (name: string) => name.replaceAll(/[^\p{L}\p{N}%.]+/gu, ' ').trim() || 'tax';
