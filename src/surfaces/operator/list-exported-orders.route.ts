import { Type } from 'typebox';
import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { operation } from '../../access/operations/operation.ts';
import { insertAction } from '../../access/sessions/actions.db.ts';
import { placedAtOf } from '../../ordering/order/order-view.ts';
import type { Db } from '../../platform/db/connect.ts';
import { flag } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { csvFile, csvFileAnswer } from '../../platform/http/send-csv.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { CsvCell } from '../../platform/lib/csv.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { FILTER_FIELDS, readFilter } from './list-any-orders.route.ts';
import {
  countPlaced,
  findCustomers,
  type ListedCustomer,
  type ListedOrder,
  listPlaced,
  type PlacedFilter,
} from './operator-lists.db.ts';

/** Maximum orders of an export, about 10 MB. */
const MAX_ROWS = 50_000;
const PAGE_SIZE = 500;

const HEAD = [
  ...['order_id', 'order_number', 'customer_order_id', 'mode', 'status', 'type', 'placed_at'],
  ...['store_id', 'store', 'account_id', 'account', 'total_with_tip', 'refunded_amount', 'charge_state'],
];
const CUSTOMER_HEAD = ['customer', 'customer_phone'];

export const exportAnyOrdersOperation = operation({
  endpoint: 'GET /orders.csv',
  refuses: ['role_not_allowed'],
  summary: 'Export placed orders as CSV',
  description: `Exports the placed orders that match the filters of \`GET /operator/orders\`, newest first. Returns an error for more than ${MAX_ROWS.toLocaleString('en-US')} orders. Amounts are in cents and times in UTC. Customers are included only for support and admins, and the history records the export.`,
  example: { query: { mode: 'sandbox' } },
  query: Type.Object({
    ...FILTER_FIELDS,
    customers: flag("Whether to include customers' names and phones. Not for viewers."),
  }),
  answer: csvFileAnswer('A header line, then one line per order.'),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db, clock }: { db: Db; clock: Clock }, { query, by: { session } }) => {
  const { mode = 'live', customers: hasCustomers = false } = query;
  if (hasCustomers && session.role === 'viewer') {
    throw new Refusal('role_not_allowed', 'Customers are shown only to support and admins.');
  }
  const filter = { mode, ...readFilter(query) };
  if ((await countPlaced(db, { ...filter, limit: MAX_ROWS + 1 })) > MAX_ROWS) {
    const message = `is needed: more than ${MAX_ROWS} orders match; narrow them by \`day\`, \`store_id\` or \`account_id\``;
    throw invalidField('query', 'day', message);
  }
  if (hasCustomers) {
    const { customers: _, mode: __, ...details } = query;
    const { sessionId } = session;
    await insertAction(db, { at: clock.now(), sessionId, action: 'order.export', target: mode, details });
  }
  const head = hasCustomers ? [...HEAD, ...CUSTOMER_HEAD] : HEAD;
  return csvFile('orders.csv', { head, batches: readBatches(db, filter, hasCustomers) });
});

type Filter = PlacedFilter & { mode: ListedOrder['mode'] };

/** The file page by page, so that no more than a page is in memory. */
async function* readBatches(db: Db, filter: Filter, hasCustomers: boolean): AsyncGenerator<CsvCell[][]> {
  let before: { at: Temporal.Instant; id: string } | undefined;
  for (let rows = 0; rows < MAX_ROWS; rows += PAGE_SIZE) {
    const orders = await listPlaced(db, { ...filter, before, limit: PAGE_SIZE });
    const names = await findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]);
    const customers = hasCustomers ? await findCustomers(db, orders) : undefined;
    yield orders.map((order) => cellsOf(order, names.get(order.accountId) ?? '', customers?.get(order.orderId)));
    const last = orders.at(-1);
    if (!last || orders.length < PAGE_SIZE) return;
    before = { at: placedAtOf(last), id: last.orderId };
  }
}

function cellsOf(order: ListedOrder, accountName: string, customer: ListedCustomer | undefined): CsvCell[] {
  return [
    order.orderId,
    order.orderNumber,
    order.customerOrderId,
    order.mode,
    order.status,
    order.pickup ? 'pickup' : 'delivery',
    isoSeconds(placedAtOf(order)),
    order.storeId,
    order.storeName,
    order.accountId,
    accountName,
    order.totalCents,
    order.refundedCents,
    order.chargeState,
    ...(customer ? [customer.name, customer.phone] : []),
  ];
}
