import { NEAR_DOOR } from '../../test/feed-lines.ts';
import { orderBody } from '../../test/given/orders.ts';
import { type Attack, repeat } from './attack.ts';
import { givenPizzeria, PIZZERIA } from './pizzeria.ts';

const CONNECTIONS = 40;
const ITEMS = 20;

export const attack: Attack = {
  name: 'connections of one key quote orders without placing them',
  async prepare(service, accountId) {
    await givenPizzeria(service, accountId);
  },
  async run({ url, key, signal }) {
    const headers = { 'id-token': key, 'content-type': 'application/json' };
    const inventory = await fetch(`${url}/details/inventory?pickup=false&store_id=${PIZZERIA}`, { headers });
    const { categories } = (await inventory.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
    const productId = categories[0]?.menu_item_list[0]?.product_id;
    const body = JSON.stringify({
      ...orderBody(undefined, null, { place_order: false, charge_user: false, ...NEAR_DOOR }),
      autofill_selected_options: true,
      items: Array.from({ length: ITEMS }, () => ({ product_id: productId })),
    });
    return repeat({ url, key, signal }, CONNECTIONS, async () => {
      const reply = await fetch(`${url}/order/order/v2`, { method: 'POST', headers, body, signal });
      await reply.arrayBuffer();
      return reply.status;
    });
  },
};
