import { Command, InvalidArgumentError } from 'commander';
import type { Sql } from '../db/connect.ts';
import { formatPrice } from '../lib/money.ts';
import { parseMoment } from '../lib/time.ts';
import { type ListedOrder, listPlaced, type PlacedFilter } from '../operators/operator-lists.db.ts';
import type { OrderStatus } from '../orders/order.ts';
import { ORDER_STATUSES } from '../orders/order-schema.ts';
import type { OutputOptions } from './output.ts';
import { withDatabase } from './with-database.ts';
import { type ListForm, writePages } from './write-pages.ts';

const PAGE = 500;
const PLACED = ORDER_STATUSES.filter((status) => status !== 'unplaced');

type ListOptions = OutputOptions & {
  status?: OrderStatus[];
  store?: string;
  account?: string;
  since?: Temporal.Instant;
};

export function listOrdersCommand(): Command {
  return new Command('list')
    .description('List placed orders, live orders before sandbox orders, newest first.')
    .option('--status <list>', `list only orders with these statuses: ${PLACED.join(', ')}`, parseStatuses)
    .option('--store <store_id>', 'list only the orders of this store')
    .option('--account <account_id>', 'list only the orders of this account')
    .option(
      '--since <time>',
      'list only orders placed since then: 2026-06-30 (UTC) or 2026-06-30T18:00:00Z',
      parseSince,
    )
    .option(
      '--json',
      'answer with one JSON document: { orders: [{ order_id, order_number, mode, account_id, store_id, status, … }] }',
    )
    .action((options: ListOptions) =>
      withDatabase(({ db, signal }) => writePages(options, ORDERS, pagesOf(db, options), signal)),
    );
}

const ORDERS: ListForm<ListedOrder> = {
  name: 'orders',
  document: (order) => ({
    ...{ order_id: order.orderId, order_number: order.orderNumber, mode: order.mode, account_id: order.accountId },
    ...{ store_id: order.storeId, store_name: order.storeName, status: order.status, pickup: order.pickup },
    ...{ total_with_tip: order.totalWithTip + order.addedTipCents, refunded_amount: order.refundedCents },
    ...{ charge_state: order.chargeState, customer_order_id: order.customerOrderId },
    placed_at: order.placedAt?.toString() ?? null,
  }),
  heads: ['ORDER', 'NUMBER', 'MODE', 'STATUS', 'TOTAL', 'REFUNDED', 'PLACED', 'STORE'],
  cells: ({ orderId, orderNumber, mode, status, totalWithTip, addedTipCents, refundedCents, placedAt, storeName }) => [
    orderId,
    orderNumber ?? '',
    mode,
    status,
    formatPrice(totalWithTip + addedTipCents),
    formatPrice(refundedCents),
    placedAt?.toString({ smallestUnit: 'second' }) ?? '',
    storeName,
  ],
};

async function* pagesOf(sql: Sql, { status, store, account, since }: ListOptions): AsyncGenerator<ListedOrder[]> {
  const filter: PlacedFilter = { statuses: status, storeId: store, accountId: account, since };
  for (const mode of ['live', 'sandbox'] as const) {
    let page = await listPlaced(sql, { ...filter, mode, before: undefined, limit: PAGE });
    while (page.length > 0) {
      yield page;
      const last = page.at(-1);
      const before = last?.placedAt ? { at: last.placedAt, id: last.orderId } : undefined;
      page = page.length < PAGE ? [] : await listPlaced(sql, { ...filter, mode, before, limit: PAGE });
    }
  }
}

function parseStatuses(text: string): OrderStatus[] {
  return text.split(',').map((word) => {
    const status = PLACED.find((known) => known === word.trim());
    if (!status) throw new InvalidArgumentError(`A status is one of ${PLACED.join(', ')}.`);
    return status;
  });
}

function parseSince(text: string): Temporal.Instant {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(text)
      ? Temporal.PlainDate.from(text).toZonedDateTime('UTC').toInstant()
      : parseMoment(text);
  } catch {
    throw new InvalidArgumentError('A time is a date such as 2026-06-30, or a moment such as 2026-06-30T18:00:00Z.');
  }
}
