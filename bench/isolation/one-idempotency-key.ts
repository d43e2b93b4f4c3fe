import { setTimeout as delay } from 'node:timers/promises';
import { orderBody } from '../../test/given/orders.ts';
import { type Attack, repeat } from './attack.ts';
import { givenPizzeria } from './pizzeria.ts';

const CONNECTIONS = 200;
const HELD_MS = 30_000;

export const attack: Attack = {
  name: 'connections repeat one Idempotency-Key while its first request is in progress',
  async prepare(service, accountId) {
    const { post, productIds } = await givenPizzeria(service, accountId);
    const reply = await post('/order/order/v2', {
      ...orderBody(productIds[0], null, { place_order: false, charge_user: false }),
      autofill_selected_options: true,
    });
    const { order_id: orderId } = (await reply.json()) as { order_id: string };
    const isLocked = Promise.withResolvers<void>();
    const held = service.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').select('orderId').where('orderId', '=', orderId).forUpdate().execute();
      isLocked.resolve();
      await delay(HELD_MS);
    });
    held.catch(isLocked.reject);
    await isLocked.promise;
  },
  async run({ url, key, signal }) {
    const listed = await fetch(`${url}/account/orders?status=unplaced`, { headers: { 'id-token': key } });
    const { orders } = (await listed.json()) as { orders: { order_id: string }[] };
    const body = JSON.stringify({ order_id: orders[0]?.order_id });
    const headers = { 'id-token': key, 'content-type': 'application/json', 'idempotency-key': 'the-same' };
    return repeat({ url, key, signal }, CONNECTIONS, async () => {
      const reply = await fetch(`${url}/order/finalize`, { method: 'POST', headers, body, signal });
      await reply.arrayBuffer();
      return reply.status;
    });
  },
};
