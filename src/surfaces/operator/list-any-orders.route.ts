import { type Static, type TObject, Type } from 'typebox';
import type { KeyMode } from '../../access/accounts/account.ts';
import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { operation } from '../../access/operations/operation.ts';
import { CHARGE_STATES, ORDER_STATUSES } from '../../ordering/order/order.ts';
import { placedAtOf } from '../../ordering/order/order-view.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, optionalText, optionalWhole, orNull } from '../../platform/http/api-components.ts';
import { BEFORE, cutPage, listCursor, NEXT, readBefore } from '../../platform/http/list-page.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { KEY_MODES, maybeText, moment, showRow } from './field-schemas.ts';
import {
  countPlaced,
  findOrdersBySearch,
  type ListedOrder,
  listOfAccount,
  listPlaced,
  type PlacedFilter,
  readOrderSearch,
} from './operator-lists.db.ts';
import { ORDERS } from './tables.ts';

/* Orders of all accounts: the filters, the list and its pages. */

export const ListedOrderSchema = component('ListedOrder', "An order in an operator's list, without its customer.", {
  order_id: Type.String(),
  order_number: maybeText("The number used at the counter. Null while the order isn't placed."),
  account_id: Type.String(),
  account_name: Type.String(),
  mode: Type.Enum([...KEY_MODES]),
  store_id: Type.String(),
  store_name: Type.String(),
  status: Type.Enum([...ORDER_STATUSES]),
  pickup: Type.Boolean(),
  total_with_tip: Type.Integer({ description: 'Cents.' }),
  charge_state: Type.Enum([...CHARGE_STATES]),
  refunded_amount: Type.Integer({ description: 'Cents.' }),
  customer_order_id: maybeText("The account's own ID for the order."),
  placed_at: moment('When the order was placed.'),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
});

const PLACED_STATUSES = ORDER_STATUSES.filter((status) => status !== 'unplaced');
const DAY = '^\\d{4}-\\d{2}-\\d{2}$';
const MAX_DAYS = 366;

/** The filters that the list and the export of orders share. */
export const FILTER_FIELDS = {
  mode: Type.Optional(
    Type.Enum([...KEY_MODES], { description: 'Defaults to `live`. Searching by number, phone or ID finds both.' }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: PLACED_STATUSES.join(',').length,
      pattern: `^(${PLACED_STATUSES.join('|')})(,(${PLACED_STATUSES.join('|')}))*$`,
      description: `Returns orders in these statuses, separated by commas: ${PLACED_STATUSES.join(', ')}.`,
    }),
  ),
  account_id: optionalText(64, "Returns this account's orders."),
  store_id: optionalText(64, "Returns this store's orders."),
  day: Type.Optional(
    Type.String({ pattern: DAY, description: "Placed on this day, `YYYY-MM-DD`, in each store's time zone." }),
  ),
  last_day: Type.Optional(
    Type.String({ pattern: DAY, description: `The last day to include, up to ${MAX_DAYS} days from \`day\`.` }),
  ),
};

export const OTHER_MODE_ORDERS = orNull(
  Type.Integer(),
  'Present if no orders match: the number of matches in the other key mode, up to 1,000.',
);
const MAX_OTHER_ORDERS = 1000;

/** How many orders a view would show in the other mode. */
export function countOtherMode(db: Db, mode: KeyMode, filter: PlacedFilter): Promise<number> {
  return countPlaced(db, { ...filter, mode: mode === 'live' ? 'sandbox' : 'live', limit: MAX_OTHER_ORDERS });
}

type FilterQuery = Static<TObject<typeof FILTER_FIELDS>> & { since?: number };

/** Reads the filters; refuses a day that does not exist and a range that is too long with `invalid_request`. */
export function readFilter(filter: FilterQuery) {
  const { status, account_id: accountId, store_id: storeId, since, day, last_day: last } = filter;
  const given = status?.split(',');
  const statuses = given && PLACED_STATUSES.filter((one) => given.includes(one));
  const from = since === undefined ? undefined : instantOfEpochSeconds(since);
  return { statuses, accountId, storeId, since: from, days: readDays(day, last) } satisfies PlacedFilter;
}

function readDays(day: string | undefined, last: string | undefined): PlacedFilter['days'] {
  if (day === undefined) {
    if (last === undefined) return undefined;
    throw invalidField('query', 'day', 'is required with `last_day`');
  }
  const [from, to] = [readDay('day', day), readDay('last_day', last ?? day)];
  const { days } = from.until(to);
  if (days >= 0 && days < MAX_DAYS) return { from, to };
  throw invalidField('query', 'last_day', `must be \`day\` or at most ${MAX_DAYS - 1} days later`);
}

function readDay(name: string, text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw invalidField('query', name, 'must be a day of the calendar');
  }
}

export const listAnyOrdersOperation = operation({
  endpoint: 'GET /orders',
  summary: "List all accounts' orders",
  description:
    'Newest first. `query` finds an exact `order_id`, order number, customer phone (except for viewers), `customer_order_id`, `store_id` or `account_id`. The other filters narrow the list of placed orders. With only an account as filter, unplaced orders are listed, too.',
  example: { query: { mode: 'sandbox' } },
  query: Type.Object({
    query: optionalText(200, 'The text to search for.'),
    ...FILTER_FIELDS,
    since: optionalWhole(0, 1e11, 'Returns orders placed since then, in epoch seconds.'),
    limit: optionalWhole(1, 1000, 'Orders per page. Defaults to 50.'),
    before: BEFORE,
  }),
  answer: describedObject('Newest first.', {
    orders: Type.Array(ListedOrderSchema),
    next: NEXT,
    other_mode_orders: OTHER_MODE_ORDERS,
  }),
  on: { operator: { command: 'orders list', table: ORDERS, role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query, by: { session } }) => {
  const { query: search, mode = 'live', before, limit: pageSize = PAGE_SIZE, ...filter } = query;
  const placed = readFilter(filter);
  const byPhone = session.role !== 'viewer';
  const { orders, next } = await findPage(db, { search, byPhone, mode, before, pageSize, ...placed });
  const accountNames = await findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]);
  const isFiltered = orders.length === 0 && search === undefined;
  return {
    orders: orders.map((order) => presentListed(order, accountNames.get(order.accountId) ?? '')),
    next,
    other_mode_orders: isFiltered ? await countOtherMode(db, mode, placed) : null,
  };
});

function presentListed({ totalCents, refundedCents, ...order }: ListedOrder, accountName: string) {
  const amounts = { total_with_tip: totalCents, refunded_amount: refundedCents };
  return { ...showRow(order), ...amounts, account_name: accountName };
}

const PAGE_SIZE = 50;

type OrderQuery = {
  search?: string | undefined;
  byPhone: boolean;
  mode: KeyMode;
  before?: string | undefined;
  pageSize: number;
} & ReturnType<typeof readFilter>;

/** Orders of all accounts, newest first, by a search, by store, by account, or unfiltered. */
async function findPage(db: Db, { search = '', byPhone, mode, before: text, pageSize, ...filter }: OrderQuery) {
  const named = search.trim() === '' ? {} : readOrderSearch(search, byPhone);
  const accountId = named.accountId ?? filter.accountId;
  const storeId = named.storeId ?? filter.storeId;
  if (search.trim() !== '' && named.accountId === undefined && named.storeId === undefined) {
    return { orders: await findOrdersBySearch(db, named, pageSize), next: null };
  }
  const before = readBefore(text);
  const limit = pageSize + 1;
  const { statuses, since, days } = filter;
  const isOfAccount = accountId !== undefined && [storeId, statuses, since, days].every((one) => one === undefined);
  const rows = isOfAccount
    ? await listOfAccount(db, { mode, accountId, before, limit })
    : await listPlaced(db, { ...filter, mode, accountId, storeId, before, limit });
  const { page, next } = cutPage(rows, pageSize, ({ orderId: id, createdAt, placedAt }) =>
    listCursor({ at: isOfAccount ? createdAt : placedAtOf({ placedAt, createdAt }), id }),
  );
  return { orders: page, next };
}
