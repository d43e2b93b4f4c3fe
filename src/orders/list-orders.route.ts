import { Type } from 'typebox';
import { ownerOf } from '../accounts/account.ts';
import type { Http } from '../http/http.ts';
import { sendJsonBytes } from '../http/send-bytes.ts';
import { limitLargePages, PAGE_WEIGHT } from '../load/pace-answers.hook.ts';
import type { OrderStatus } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { ORDER_STATUSES, OrderSchema } from './order-schema.ts';
import type { OrderFilter } from './orders.db.ts';
import { orderPage } from './pages/order-page.flow.ts';
import { MAX_ORDER_PAGE } from './pages/order-pages.ts';
import { statusesIn, statusParameter } from './status-parameter.ts';

/** Lists of one account that wait. */
const MAX_WAITING = 100;

const dayParameter = (which: string) =>
  Type.Optional(
    Type.Refine(
      Type.String({
        description: `${which} on which the orders were created, in UTC: MM/DD/YYYY.`,
      }),
      (text) => dateOf(text) !== undefined,
      () => 'must be a date as MM/DD/YYYY',
    ),
  );

const PLACED_STATUSES = ORDER_STATUSES.filter((status) => status !== 'unplaced');

const Query = Type.Object({
  order_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The order_id of order creation. An unknown one gives an empty list.' }),
  ),
  status: statusParameter(
    ORDER_STATUSES,
    'Without `status` and `order_id` the list has placed orders only; `unplaced` lists the rest.',
  ),
  start_date: dayParameter('First day'),
  end_date: dayParameter('Last day'),
  user_id: Type.Optional(Type.String({ maxLength: 255, description: 'Your own id of the user who ordered.' })),
  favorited: Type.Optional(Type.Boolean({ description: 'As the order was created.' })),
  include_order_count: Type.Optional(
    Type.Boolean({ description: '`true` adds `order_count`: how many orders match, on all pages.' }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_ORDER_PAGE,
      description: 'From 0; the `next_page` of the page before. A page has at most 100 orders.',
    }),
  ),
});

const schema = {
  operationId: 'listOrders',
  tags: ['Orders'],
  summary: 'Retrieve orders',
  description: "This account's orders, newest first: one order by its id, or all placed orders that match the filters.",
  example: { query: { order_id: '{order_id}' } },
  querystring: Query,
  response: {
    200: Type.Object(
      {
        orders: Type.Array(OrderSchema),
        order_count: Type.Optional(
          Type.Integer({ description: 'With `include_order_count`: how many orders match, on all pages.' }),
        ),
        next_page: Type.Optional(
          Type.Integer({ description: 'Send it as `page` to get the following page; absent on the last page.' }),
        ),
      },
      {
        description: 'Up to 100 orders, and no further order after 2 MiB of orders; none for an id that is not known.',
      },
    ),
  },
};

type Deps = Pick<OrderDeps, 'db' | 'trackingSites'>;

/**
 * GET /account/orders: the caller's orders, newest first; an unknown id is an empty list
 * (docs/behaviour.md#order-retrieval).
 */
export function listOrdersRoute(http: Http, { db, trackingSites }: Deps): void {
  const inTurn = limitLargePages('lists of orders', MAX_WAITING);
  http.get('/account/orders', { config: { paceWeight: PAGE_WEIGHT }, schema }, async (request, reply) => {
    const { query, caller } = request;
    const owner = ownerOf(caller);
    const page = await inTurn(request, owner, () =>
      orderPage(
        { db, site: trackingSites.siteOf(caller.accountId) },
        { caller, filter: filterOf(query), page: query.page ?? 0, withCount: query.include_order_count === true },
      ),
    );
    return sendJsonBytes(request, reply, page);
  });
}

type Asked = {
  status?: string;
  start_date?: string;
  end_date?: string;
  order_id?: string;
  user_id?: string;
  favorited?: boolean;
};

function filterOf(query: Asked): OrderFilter {
  const from = dateOf(query.start_date);
  const to = dateOf(query.end_date);
  return {
    orderId: query.order_id,
    statuses: listedStatuses(query),
    createdFrom: from?.toZonedDateTime('UTC').toInstant(),
    createdBefore: to && dayAfter(to)?.toZonedDateTime('UTC').toInstant(),
    userId: query.user_id,
    favorited: query.favorited,
  };
}

/** By default placed orders only, except that an id finds its order in any status. */
function listedStatuses({ status, order_id }: Asked): readonly OrderStatus[] | undefined {
  if (status !== undefined) return statusesIn(status);
  return order_id === undefined ? PLACED_STATUSES : undefined;
}

/** Undefined after the last day that four digits write: nothing lies beyond it. */
function dayAfter(date: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const next = date.add({ days: 1 });
  return next.year > 9999 ? undefined : next;
}

function dateOf(text: string | undefined): Temporal.PlainDate | undefined {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? '') ?? [];
  try {
    // The calendar of PostgreSQL has no year 0.
    if (year !== undefined && year !== '0000')
      return Temporal.PlainDate.from(`${year}-${month}-${day}`, { overflow: 'reject' });
  } catch {
    // Not a day of the calendar.
  }
  return undefined;
}
