import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { OrderSchema, presentOrder } from '../order/present-order.ts';
import { cancelOrder } from './cancel-order.flow.ts';
import { MAX_REFUND_REASON } from './refund.ts';

/** Cancels and refunds an order (docs/orders.md#statuses-and-steps). */
export const cancelOrderOperation = operation({
  name: 'cancelOrder',
  endpoint: 'POST /order/cancel',
  summary: 'Cancel an order and refund the customer',
  description:
    'Cancels an order and refunds the full remaining charge. An order can be canceled until a driver has picked it up or the customer has it. Canceling an order that you have already canceled returns it unchanged.',
  example: { body: { order_id: '{order_id}', reason: 'The customer changed their mind.' } },
  body: Type.Object({
    order_id: Type.String({ minLength: 1, maxLength: 64, description: 'A placed order.' }),
    reason: optionalText(
      MAX_REFUND_REASON,
      'The reason shown to the customer and the store. Defaults to `canceled_by_account`.',
    ),
  }),
  answer: OrderSchema,
  refuses: ['order_not_found', 'transition_not_allowed'],
  on: { account: { scope: 'order' } },
}).run(async (deps: Parameters<typeof cancelOrder>[0] & Pick<OrderDeps, 'trackingSites'>, { by: { caller }, body }) => {
  const command = { orderId: body.order_id, reason: (body.reason ?? '').trim() };
  return presentOrder(await cancelOrder(deps, command, caller), deps.trackingSites.siteOf(caller.accountId));
});
