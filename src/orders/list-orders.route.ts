import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import type { Fault } from '../lib/errors.ts';
import { invalidRequest } from '../lib/request-schema.ts';
import type { OrderStatus } from './order.ts';
import { countOrders, listOrders, type OrderFilter } from './orders.db.ts';
import { presentOrder } from './present-order.ts';

const STATUSES: readonly OrderStatus[] = ['unplaced', 'awaiting_confirmation', 'in_progress', 'completed', 'canceled'];
const MAX_PAGE = 1_000_000;

const Query = Type.Object({
  order_id: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(Type.String({ maxLength: 200, description: `Comma-separated: ${STATUSES.join(', ')}.` })),
  start_date: Type.Optional(Type.String({ description: 'MM/DD/YYYY, UTC, inclusive.' })),
  end_date: Type.Optional(Type.String({ description: 'MM/DD/YYYY, UTC, inclusive.' })),
  user_id: Type.Optional(Type.String({ maxLength: 255 })),
  favorited: Type.Optional(Type.Boolean()),
  include_order_count: Type.Optional(Type.Boolean()),
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PAGE, description: 'From 0; 100 orders each.' })),
});

/** GET /account/orders: the caller's orders, newest first; an unknown id is an empty list (decisions, section 9). */
export function listOrdersRoute(http: Http, { db, config }: Deps): void {
  const response = {
    200: Type.Object({ orders: Type.Array(Type.Unknown()), order_count: Type.Optional(Type.Integer()) }),
  };
  const schema = { tags: ['Orders'], summary: 'Retrieve orders', querystring: Query, response };
  http.get('/account/orders', { schema }, async ({ query, caller }) => {
    const filter = filterOf(query);
    const [orders, count] = await Promise.all([
      listOrders(db, caller, filter, query.page ?? 0),
      query.include_order_count ? countOrders(db, caller, filter) : undefined,
    ]);
    const presented = orders.map((order) => presentOrder(order, config.trackingUrl));
    return count === undefined ? { orders: presented } : { orders: presented, order_count: count };
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
  const faults: Fault[] = [];
  const statuses = query.status?.split(',').map((status) => status.trim()) as OrderStatus[] | undefined;
  if (statuses?.some((status) => !STATUSES.includes(status))) {
    faults.push({ in: 'query', name: 'status', message: `must be a comma-separated list of ${STATUSES.join(', ')}` });
  }
  const from = dateOf('start_date', query.start_date, faults);
  const to = dateOf('end_date', query.end_date, faults);
  if (faults.length > 0) throw invalidRequest(faults);
  return {
    orderId: query.order_id,
    statuses,
    createdFrom: from?.toZonedDateTime('UTC').toInstant(),
    createdBefore: to && dayAfter(to)?.toZonedDateTime('UTC').toInstant(),
    userId: query.user_id,
    favorited: query.favorited,
  };
}

/** Undefined after the last day that four digits write: nothing lies beyond it. */
function dayAfter(date: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const next = date.add({ days: 1 });
  return next.year > 9999 ? undefined : next;
}

function dateOf(name: string, text: string | undefined, faults: Fault[]): Temporal.PlainDate | undefined {
  if (text === undefined) return undefined;
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  try {
    // The calendar of PostgreSQL has no year 0.
    if (year !== undefined && year !== '0000')
      return Temporal.PlainDate.from(`${year}-${month}-${day}`, { overflow: 'reject' });
  } catch {
    // Not a day of the calendar: a fault like any other shape.
  }
  faults.push({ in: 'query', name, message: 'must be a date as MM/DD/YYYY' });
  return undefined;
}
