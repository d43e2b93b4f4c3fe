import { orderBody } from '../../test/given/orders.ts';
import { type Attack, repeat } from './attack.ts';
import { givenPizzeria } from './pizzeria.ts';

const CONNECTIONS = 40;
const ORDERS = 150;
const ITEMS = 100;
const NOTES = 'n'.repeat(500);

export const attack: Attack = {
  name: "connections repeatedly read their account's orders, each with a hundred items and long notes",
  async prepare(service, accountId) {
    const { post, productIds } = await givenPizzeria(service, accountId);
    const body = {
      ...orderBody(undefined, null, { place_order: false, charge_user: false }),
      autofill_selected_options: true,
      items: Array.from({ length: ITEMS }, () => ({ product_id: productIds[0], notes: NOTES })),
    };
    for (let n = 0; n < ORDERS; n += 1) {
      const reply = await post('/order/order/v2', body);
      if (reply.status !== 200) throw new Error(await reply.text());
      await reply.arrayBuffer();
    }
  },
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async () => {
      const reply = await fetch(`${url}/account/orders?status=unplaced`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
