import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { queueCopy } from '../offers/offer-events.flow.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { seesOrder } from './merchant.ts';

const schema = {
  operationId: 'printStoreTicket',
  tags: ['Store'],
  summary: "Print an order's ticket again on the store's printer",
  description:
    'For a live order of a store that has a printer; any other order is refused. A printed copy says that it is a copy.',
  example: { body: { document: 'kitchen' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  body: Type.Object({ document: Type.Enum(['kitchen', 'receipt'], { description: 'Which ticket.' }) }),
  response: {
    200: Type.Object(
      { order_id: Type.String(), document: Type.Enum(['kitchen', 'receipt']), copy: Type.Integer() },
      { description: 'It is queued; the print says which copy it is.' },
    ),
  },
};
const config = { audience: 'store', refuses: ['order_not_found', 'transition_not_allowed'] } as const;

/** POST /store/orders/{order_id}/print. */
export function printTicketRoute(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  http.post('/store/orders/:order_id/print', { schema, config }, async ({ merchant, params, body }) => {
    const order = await findAnyOrder(db, params.order_id);
    if (!order || !seesOrder(merchant, order, clock.now())) throw orderNotFound();
    const copy = merchant.mode === 'live' ? await queueCopy(db, order, body.document, clock.now()) : undefined;
    if (copy === undefined) throw new Refusal('transition_not_allowed', 'The store has no printer for this order.');
    return { order_id: order.orderId, document: body.document, copy };
  });
}
