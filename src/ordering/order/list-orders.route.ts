import { type Static, Type } from 'typebox';
import type { Caller } from '../../access/accounts/account.ts';
import { refuseMembers } from '../../access/accounts/publishable-key.ts';
import type { TrackingSite } from '../../access/accounts/tracking-site.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Sql } from '../../platform/db/connect.ts';
import {
  describedObject,
  flag,
  optionalFilter,
  optionalText,
  optionalWhole,
} from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { bytesAnswer, JsonBytes } from '../../platform/http/send-bytes.ts';
import { isSliceOver, nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import { PAGE_WEIGHT } from '../../platform/load/pace-answers.hook.ts';
import { type CheckoutLinkDeps, checkoutLinkDeps, checkoutMember, requireOrderKey } from './checkout-link.ts';
import { ORDER_STATUSES, type Order, type OrderStatus } from './order.ts';
import type { MessagesOfOrders, OrderDeps } from './order-deps.ts';
import { MAX_ORDER_PAGE, MAX_PAGE_BYTES, nextPageNumber, startOfPage } from './order-pages.ts';
import { countOrders, listOrders, type OrderFilter } from './orders.db.ts';
import { OrderSchema, presentOrder } from './present-order.ts';
import { parseStatuses, statusParameter } from './status-parameter.ts';

/** Maximum waiting list requests per account. */
const MAX_WAITING = 100;

const dayParameter = (which: string) =>
  Type.Optional(
    Type.Refine(
      Type.String({ description: `The ${which} day to include, by creation date in UTC: MM/DD/YYYY.` }),
      (day) => dateOf(day) !== undefined,
      () => 'must be a date as MM/DD/YYYY',
    ),
  );

const PLACED_STATUSES = ORDER_STATUSES.filter((status) => status !== 'unplaced');

const Query = Type.Object({
  order_id: optionalFilter(64, 'The `order_id` returned by order creation. An unknown ID returns an empty list.'),
  order_key: optionalText(
    512,
    "For a publishable key, required with `order_id` and no other filter: the `key` of the order's `tracking_link`, or the last part of its `checkout_url`.",
  ),
  status: statusParameter(
    ORDER_STATUSES,
    'Defaults to placed orders unless `order_id` is sent. `unplaced` lists unplaced orders.',
  ),
  start_date: dayParameter('first'),
  end_date: dayParameter('last'),
  user_id: optionalFilter(255, 'Your own ID for the user who ordered.'),
  customer_order_id: optionalFilter(255, 'The `customer_order_id` sent when the order was created.'),
  favorited: flag('The value sent when the order was created.'),
  include_order_count: flag('`true` adds `order_count`, the number of matching orders on all pages.'),
  include: Type.Optional(
    Type.Enum(['messages'], {
      description: "`messages` adds each order's text messages and emails, and why any weren't sent.",
    }),
  ),
  page: optionalWhole(
    0,
    MAX_ORDER_PAGE,
    "Starts at 0. Send the previous page's `next_page`. A page contains up to 100 orders.",
  ),
});

type Deps = Pick<OrderDeps, 'clock' | 'db' | 'tokens' | 'trackingSites'> & { messagesOf: MessagesOfOrders };

/** The caller's orders, newest first. An unknown id gives an empty list (docs/orders.md#list-orders). */
export const listOrdersOperation = operation({
  name: 'listOrders',
  endpoint: 'GET /account/orders',
  summary: 'List orders',
  description:
    "Lists your account's orders, newest first. Returns one order by its ID, or all placed orders that match the filters.",
  example: { query: { order_id: '{order_id}' } },
  query: Query,
  answer: bytesAnswer(
    describedObject('Up to 100 orders. A page ends early at 2 MiB. An unknown ID returns an empty list.', {
      orders: Type.Array(OrderSchema),
      order_count: Type.Optional(
        Type.Integer({ description: 'The number of matching orders on all pages. Only with `include_order_count`.' }),
      ),
      next_page: Type.Optional(
        Type.Integer({ description: 'Send it as `page` to get the next page. Absent on the last page.' }),
      ),
    }),
  ),
  refuses: ['order_not_found'],
  largePages: ['lists of orders', MAX_WAITING],
  on: { account: { scope: 'read', config: { publishable: true, paceWeight: PAGE_WEIGHT } } },
}).run(async (deps: Deps, { by: { caller }, inTurn, query }) => {
  if (caller.visitor) {
    const { order_id: orderId, order_key: orderKey = '', ...others } = query;
    refuseMembers(Object.keys(others), 'query');
    if (orderId === undefined) {
      throw new Refusal('key_is_publishable', "A publishable key can't list orders. Send one order's `order_id`.", {
        errors: [{ in: 'query', name: 'order_id', message: 'is required for a publishable key' }],
      });
    }
    requireOrderKey(deps.tokens, orderId, orderKey);
  }
  const messagesOf = query.include === 'messages' ? deps.messagesOf : undefined;
  const pageDeps = { db: deps.db, checkout: checkoutLinkDeps(deps, caller), messagesOf };
  const withCount = query.include_order_count === true;
  const wanted = { caller, filter: orderFilter(query), page: query.page ?? 0, withCount };
  return new JsonBytes(await inTurn(() => orderPage(pageDeps, wanted)));
});

type ListOrdersQuery = Static<typeof Query>;

function orderFilter(query: ListOrdersQuery): OrderFilter {
  const from = dateOf(query.start_date);
  const to = dateOf(query.end_date);
  return {
    orderId: query.order_id,
    statuses: listedStatuses(query),
    createdFrom: from?.toZonedDateTime('UTC').toInstant(),
    createdBefore: to && nextDay(to)?.toZonedDateTime('UTC').toInstant(),
    userId: query.user_id,
    customerOrderId: query.customer_order_id,
    favorited: query.favorited,
  };
}

/** Returns the statuses to list. By default only placed orders are listed, but an id finds its order in any status. */
function listedStatuses({ status, order_id }: ListOrdersQuery): readonly OrderStatus[] | undefined {
  if (status !== undefined) return parseStatuses(status);
  return order_id === undefined ? PLACED_STATUSES : undefined;
}

/** Returns the following day; undefined after the last day with a four-digit year. */
function nextDay(date: Temporal.PlainDate): Temporal.PlainDate | undefined {
  const next = date.add({ days: 1 });
  return next.year > 9999 ? undefined : next;
}

function dateOf(text: string | undefined): Temporal.PlainDate | undefined {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text ?? '') ?? [];
  try {
    // PostgreSQL has no year 0.
    if (year !== undefined && year !== '0000')
      return Temporal.PlainDate.from(`${year}-${month}-${day}`, { overflow: 'reject' });
  } catch {
    // Ignored: the text is not a calendar day.
  }
  return undefined;
}

/** Orders in the first batch, whose mean size predicts how many more fit on the page. */
const FIRST_BATCH_ORDERS = 4;
/** Maximum bytes of each later batch, because a batch is parsed at once and kept in memory until it is sent. */
const MAX_BATCH_BYTES = 256 * 1024;

type PageDeps = { db: Sql; checkout: CheckoutLinkDeps; messagesOf: MessagesOfOrders | undefined };
type ListRequest = { caller: Caller; filter: OrderFilter; page: number; withCount: boolean };

/**
 * Writes a page of the caller's orders, as parts of JSON. Ends after 100 orders, or once it exceeds `MAX_PAGE_BYTES`;
 * the last page omits `next_page`. Orders are read a few at a time to limit memory.
 */
async function orderPage(deps: PageDeps, { caller, filter, page, withCount }: ListRequest): Promise<Buffer[]> {
  const { db } = deps;
  const count = withCount ? await countOrders(db, caller, filter) : undefined;
  const { position, limit } = startOfPage(page);
  const shown: PageContent = { parts: [], count: 0, bytes: 0 };
  let from: number | Order = position;
  let wanted = Math.min(FIRST_BATCH_ORDERS, limit);
  let isFollowed = false;
  while (wanted > 0) {
    // One more than wanted, to detect whether another order follows.
    const orders: Order[] = await listOrders(db, caller, filter, { from, limit: wanted + 1 });
    const last = await show(deps, caller, shown, orders.slice(0, wanted));
    isFollowed = last !== undefined && last !== orders.at(-1);
    if (!last || !isFollowed) break;
    from = last;
    wanted = roomFor(shown, limit);
  }
  const end = [
    ']',
    count === undefined ? '' : `,"order_count":${count}`,
    isFollowed ? `,"next_page":${nextPageNumber(page, shown.count)}` : '',
    '}',
  ];
  return [Buffer.from('{"orders":['), ...shown.parts, Buffer.from(end.join(''))];
}

/** The Order elements of a page so far, as bytes outside of the JavaScript heap, with commas between them. */
type PageContent = { parts: Buffer[]; count: number; bytes: number };

/** Hides the account's profit and its own notes from a visitor. */
function presentFor({ visitor }: Caller, order: Order, site: TrackingSite): Static<typeof OrderSchema> {
  const element = presentOrder(order, site);
  const { agent } = order.request;
  if (visitor === undefined) {
    return agent ? { ...element, agent: { client_name: agent.name, client_host: agent.host } } : element;
  }
  const { profit, metadata, customer_order_id, ...shown } = element;
  return shown;
}

/** Adds orders until the page is full; returns the last added order. */
async function show({ checkout, messagesOf }: PageDeps, caller: Caller, shown: PageContent, orders: readonly Order[]) {
  let last: Order | undefined;
  const messages = await messagesOf?.(orders);
  for (const [nth, order] of orders.entries()) {
    if (isSliceOver()) await nextSlice();
    const element = { ...presentFor(caller, order, checkout.site), ...checkoutMember(order, checkout) };
    const text = JSON.stringify(messages ? { ...element, messages: messages[nth] } : element);
    const part = Buffer.from(shown.count === 0 ? text : `,${text}`);
    shown.parts.push(part);
    shown.count += 1;
    shown.bytes += part.length;
    last = order;
    if (shown.bytes >= MAX_PAGE_BYTES) break;
  }
  return last;
}

/** Estimates the size of the next batch from the mean order so far: at least one order, but none for a full page. */
function roomFor({ count, bytes }: PageContent, limit: number): number {
  if (bytes >= MAX_PAGE_BYTES || count >= limit) return 0;
  const mean = bytes / count;
  const fit = Math.ceil((MAX_PAGE_BYTES - bytes) / mean);
  return Math.min(fit, Math.max(1, Math.floor(MAX_BATCH_BYTES / mean)), limit - count);
}
