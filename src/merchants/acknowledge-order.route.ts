import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import type { Clock } from '../lib/clock.ts';
import { acknowledgeOffer } from '../offers/offers.db.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { findAnyOrder } from '../orders/orders.db.ts';
import { seesOrder } from './merchant.ts';
import { channelOf } from './take-store-step.flow.ts';

const schema = {
  operationId: 'acknowledgeStoreOrder',
  tags: ['Store'],
  summary: 'Say that somebody has seen an order',
  description: 'It ends the ringing of the console, and confirms nothing.',
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  body: Type.Object({}),
  response: {
    200: Type.Object(
      { order_id: Type.String(), acknowledged: Type.Literal(true) },
      { description: 'The console rings no more for it.' },
    ),
  },
};
const config = { audience: 'store', refuses: ['order_not_found'] } as const;

/** POST /store/orders/{order_id}/acknowledge. */
export function acknowledgeOrderRoute(http: Http, { db, clock }: { db: Db; clock: Clock }): void {
  http.post('/store/orders/:order_id/acknowledge', { schema, config }, async ({ merchant, params }) => {
    const order = await findAnyOrder(db, params.order_id);
    if (!order || !seesOrder(merchant, order, clock.now())) throw orderNotFound();
    await acknowledgeOffer(db, order.orderId, channelOf(merchant), clock.now());
    return { order_id: order.orderId, acknowledged: true as const };
  });
}
