import { Type } from 'typebox';
import { ownerOf } from '../accounts/account.ts';
import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { sendJsonBytes } from '../http/send-bytes.ts';
import type { Clock } from '../lib/clock.ts';
import { limitLargePages, PAGE_WEIGHT } from '../load/pace-answers.hook.ts';
import { ORDER_STATUSES } from '../orders/order.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { findOrder } from '../orders/orders.db.ts';
import { MAX_ORDERS } from './account-events.db.ts';
import { accountEventsPage, orderEventsPage } from './event-pages.flow.ts';
import { MAX_POSITION_LETTERS } from './log-position.ts';
import { OrderEventSchema } from './webhook-schema.ts';

/** Pages of one account that wait. */
const MAX_WAITING = 20;

const schema = {
  operationId: 'listEvents',
  tags: ['Orders'],
  summary: 'The steps of all orders as they are taken',
  description: `The steps of the account's ${MAX_ORDERS.toLocaleString('en-US')} newest orders since an earlier answer, each as the body of the call that a webhook gets of it, and each in one answer exactly. Ask without \`after\` for the place to begin at: the present. For development and for small accounts; a webhook tells every step.`,
  querystring: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: MAX_POSITION_LETTERS,
        description: 'The `next` of the answer before, as it is. Steps that were taken earlier are left out.',
      }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        events: Type.Array(OrderEventSchema),
        has_more: Type.Boolean({ description: 'Further steps wait: ask with `next` at once.' }),
        next: Type.String({ description: 'Where the next answer begins. Opaque; it may be kept for a day.' }),
        is_complete: Type.Boolean({
          description:
            'False where the account has more orders than are looked at: steps of older orders are left out.',
        }),
      },
      { description: 'Up to 20 steps, oldest first, and no further step after 2 MiB; none without `after`.' },
    ),
  },
};

type Needs = { db: Db; clock: Clock; trackingSites: Pick<TrackingSites, 'siteOf'> };

/** GET /account/events: the log of all orders of an account, read on and on (docs/behaviour.md#events, ADR 38). */
export function listAccountEventsRoute(http: Http, { db, clock, trackingSites }: Needs): void {
  const inTurn = limitLargePages('pages of events', MAX_WAITING);
  http.get('/account/events', { schema, config: { paceWeight: PAGE_WEIGHT } }, async (request, reply) => {
    const { query, caller } = request;
    const owner = ownerOf(caller);
    const page = await inTurn(request, owner, () => {
      const deps = { db, clock, site: trackingSites.siteOf(caller.accountId) };
      return accountEventsPage(deps, caller, query.after);
    });
    return sendJsonBytes(request, reply, [Buffer.from(page)]);
  });
}

/** Pages of one account that wait. */
const MAX_WAITING_OF_ORDERS = 100;
const MAX_SEQUENCE = 2_147_483_647;

const orderEventsSchema = {
  operationId: 'listOrderEvents',
  tags: ['Orders'],
  summary: 'The steps that an order has taken',
  description:
    'Each step as the body of the call that a webhook gets of it, in sequence. To follow an order, ask again with `after`: the sequence of the last step that you have.',
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the account.' }) }),
  querystring: Type.Object({
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_SEQUENCE, description: 'Leaves out the steps up to this sequence.' }),
    ),
  }),
  response: {
    200: Type.Object(
      {
        events: Type.Array(OrderEventSchema),
        has_more: Type.Boolean({
          description: 'Further steps follow: send the last sequence of this page as `after`.',
        }),
        status: Type.Enum(ORDER_STATUSES, {
          description: 'What the order is now: with `has_more` false, right after the last step.',
        }),
      },
      { description: 'Up to 20 steps, and no further step after 2 MiB; none for an order that is not placed.' },
    ),
  },
};

type OrderEventsNeeds = { db: Db; trackingSites: Pick<TrackingSites, 'siteOf'> };

/**
 * GET /account/orders/{order_id}/events: the log of an order after a sequence, by which a client follows the order
 * (docs/behaviour.md#events, ADR 34).
 */
export function listOrderEventsRoute(http: Http, { db, trackingSites }: OrderEventsNeeds): void {
  const inTurn = limitLargePages('pages of events', MAX_WAITING_OF_ORDERS);
  const config = { refuses: ['order_not_found'], paceWeight: PAGE_WEIGHT } as const;
  http.get('/account/orders/:order_id/events', { schema: orderEventsSchema, config }, async (request, reply) => {
    const { params, query, caller } = request;
    const owner = ownerOf(caller);
    const page = await inTurn(request, owner, async () => {
      const order = await findOrder(db, caller, params.order_id);
      if (!order) throw orderNotFound();
      const deps = { db, site: trackingSites.siteOf(caller.accountId) };
      return orderEventsPage(deps, order, query.after ?? 0);
    });
    return sendJsonBytes(request, reply, [Buffer.from(page)]);
  });
}
