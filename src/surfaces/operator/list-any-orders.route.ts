import { Type } from 'typebox';
import type { KeyMode } from '../../access/accounts/account.ts';
import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { ORDER_STATUSES } from '../../ordering/orders/order.ts';
import { placedAtOf } from '../../ordering/orders/order-view.ts';
import type { Db } from '../../platform/db/connect.ts';
import { named } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import {
  BEFORE,
  CHARGE_STATES,
  cutPage,
  KEY_MODES,
  listCursor,
  maybeText,
  moment,
  NEXT,
  readBefore,
  showRow,
} from './field-schemas.ts';
import {
  findOrdersBySearch,
  type ListedOrder,
  listOfAccount,
  listPlaced,
  readOrderSearch,
} from './operator-lists.db.ts';

const ListedOrderSchema = Type.Object(
  {
    order_id: Type.String(),
    order_number: maybeText('What people call it at the counter; null while it is not placed.'),
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
    customer_order_id: maybeText("The account's own id of the order."),
    placed_at: moment('When it was placed.'),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
  },
  named('ListedOrder', 'An order in a list of operators, without its customer.'),
);

const schema = {
  operationId: 'listAnyOrders',
  tags: ['Operator'],
  summary: 'Orders of every account',
  description:
    'Newest first, 50 a page. `query` finds an `order_id`, the number of an order, a phone of its customer (not for a viewer), a `customer_order_id`, a `store_id` or an `account_id`, as a whole. Orders of an account are listed unplaced too.',
  example: { query: { mode: 'sandbox' } },
  querystring: Type.Object({
    query: Type.Optional(Type.String({ maxLength: 200, description: 'What to find.' })),
    mode: Type.Optional(
      Type.Enum([...KEY_MODES], {
        description: 'Orders of this key mode; live by default. A search by number, phone or id finds both.',
      }),
    ),
    account_id: Type.Optional(Type.String({ maxLength: 64, description: 'Orders of this account.' })),
    store_id: Type.Optional(Type.String({ maxLength: 64, description: 'Orders of this store.' })),
    before: BEFORE,
  }),
  response: {
    200: Type.Object({ orders: Type.Array(ListedOrderSchema), next: NEXT }, { description: 'Newest first.' }),
  },
};

/** GET /operator/orders. */
export function listAnyOrdersRoute(http: Http, { db }: { db: Db }): void {
  http.get(
    '/operator/orders',
    { schema, config: { audience: 'operator', role: 'viewer' } as const },
    async ({ query, session }) => {
      const { query: search, mode = 'live', account_id: accountId, store_id: storeId, before } = query;
      const { orders, next, accountNames } = await listAnyOrders(db, {
        search,
        byPhone: session.role !== 'viewer',
        mode,
        accountId,
        storeId,
        before,
      });
      return { orders: orders.map((order) => presentListed(order, accountNames.get(order.accountId) ?? '')), next };
    },
  );
}

function presentListed({ totalCents, refundedCents, ...order }: ListedOrder, accountName: string) {
  const amounts = { total_with_tip: totalCents, refunded_amount: refundedCents };
  return { ...showRow(order), ...amounts, account_name: accountName };
}

const PAGE_SIZE = 50;

type OrderQuery = {
  search?: string | undefined;
  byPhone: boolean;
  mode: KeyMode;
  accountId?: string | undefined;
  storeId?: string | undefined;
  before?: string | undefined;
};

type OrderPage = { orders: ListedOrder[]; next: string | null; accountNames: ReadonlyMap<string, string> };

/** Lists orders of all accounts, newest first, by a search, by store, by account, or unfiltered. */
async function listAnyOrders(db: Db, query: OrderQuery): Promise<OrderPage> {
  const { orders, next } = await findPage(db, query);
  const accountNames = await findAccountNames(db, [...new Set(orders.map(({ accountId }) => accountId))]);
  return { orders, next, accountNames };
}

async function findPage(db: Db, { search = '', byPhone, mode, before: text, ...filter }: OrderQuery) {
  const named = search.trim() === '' ? {} : readOrderSearch(search, byPhone);
  const accountId = named.accountId ?? filter.accountId;
  const storeId = named.storeId ?? filter.storeId;
  if (search.trim() !== '' && accountId === undefined && storeId === undefined) {
    return { orders: await findOrdersBySearch(db, named, PAGE_SIZE), next: null };
  }
  const before = readBefore(text);
  const limit = PAGE_SIZE + 1;
  const isOfAccount = accountId !== undefined && storeId === undefined;
  const rows = isOfAccount
    ? await listOfAccount(db, { mode, accountId, before, limit })
    : await listPlaced(db, { mode, storeId, before, limit });
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ orderId: id, createdAt, placedAt }) =>
    listCursor({ at: isOfAccount ? createdAt : placedAtOf({ placedAt, createdAt }), id }),
  );
  return { orders: page, next };
}
