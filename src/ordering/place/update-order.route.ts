import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { OrderSchema, presentOrder } from '../order/present-order.ts';
import { UpdatedMembers } from './order-body.ts';
import { updateOrder } from './update-order.flow.ts';

/** Changes how a placed order is handed off (docs/orders.md#change-delivery-details). */
export const updateOrderOperation = operation({
  name: 'updateOrder',
  endpoint: 'POST /order/update',
  summary: "Update a placed order's notes, drop-off, apartment, name or phone",
  description:
    'Updates a delivery until a driver has picked it up, or a pickup until it is ready. The store, its ticket, the driver and the courier are notified. Omitted fields stay unchanged, and repeating a request changes nothing. To change the address, cancel the order and place a new one.',
  example: { body: { order_id: '{order_id}', user_apt_num: '4B', user_dropoff_notes: 'Ring twice, please' } },
  body: Type.Object({
    order_id: Type.String({ minLength: 1, maxLength: 64, description: 'A placed order.' }),
    ...UpdatedMembers.properties,
  }),
  answer: OrderSchema,
  refuses: ['order_not_found', 'transition_not_allowed'],
  on: { account: { scope: 'order' } },
}).run(async (deps: Pick<OrderDeps, 'clock' | 'db' | 'trackingSites'>, { by: { caller }, body }) => {
  const { order_id: orderId, ...members } = body;
  const order = await updateOrder(deps, { orderId, body: members }, caller);
  return presentOrder(order, deps.trackingSites.siteOf(caller.accountId));
});
