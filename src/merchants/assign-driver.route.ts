import { Type } from 'typebox';
import { assignDriver } from '../deliveries/driver-delivery.flow.ts';
import type { Http } from '../http/http.ts';
import { acknowledgeOffer } from '../offers/offers.db.ts';
import { StoreOrderSchema } from '../offers/present-store-order.ts';
import type { OrderDeps } from '../orders/order-deps.ts';
import { orderNotFound } from '../orders/order-faults.ts';
import { seesOrder } from './merchant.ts';
import { presentForStore } from './present-for-store.ts';
import { channelOf } from './take-store-step.flow.ts';

const MAX_PHONE = 999_999_999_999_999;

const schema = {
  operationId: 'assignStoreDriver',
  tags: ['Store'],
  summary: "Assign a driver of the store's own",
  description:
    'The answer has `driver_link`, the page of the driver. Until pick-up another driver replaces the first, whose link ends. The same driver again changes nothing.',
  example: { body: { name: 'Ana Ruiz', phone: 13125550123, vehicle_type: 'bicycle' } },
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) }),
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, description: 'As the customer sees it.' }),
    phone: Type.Integer({ minimum: 1, maximum: MAX_PHONE, description: 'Digits with the country code first.' }),
    vehicle_type: Type.String({ minLength: 1, maxLength: 50, description: 'Such as car, bicycle or scooter.' }),
  }),
  response: { 200: StoreOrderSchema },
};
const config = { audience: 'store', refuses: ['order_not_found', 'transition_not_allowed'] } as const;

type Needs = Pick<OrderDeps, 'db' | 'clock' | 'config' | 'tokens' | 'trackingSites'>;

/** POST /store/orders/{order_id}/assign_driver. */
export function assignDriverRoute(http: Http, deps: Needs): void {
  http.post('/store/orders/:order_id/assign_driver', { schema, config }, async ({ merchant, params, body }) => {
    const { name, phone, vehicle_type: vehicleType } = body;
    const { order } = await assignDriver(deps, params.order_id, { name, phone, vehicleType }, (locked) => {
      if (!seesOrder(merchant, locked, deps.clock.now())) throw orderNotFound();
    });
    if (merchant.mode === 'live') {
      await acknowledgeOffer(deps.db, order.orderId, channelOf(merchant), deps.clock.now());
    }
    return presentForStore(deps, order);
  });
}
