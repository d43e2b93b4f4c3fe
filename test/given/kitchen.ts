import assert from 'node:assert/strict';
import { issueAccessCode } from '../../src/access/sessions/sign-in.flow.ts';
import { type FeedLine, pizzeria } from '../feed-lines.ts';
import type { App, Client } from '../harness.ts';
import { givenChannel, givenStoreKey } from './merchant.ts';
import { orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

const option = (id: string, name: string, price = 0, more: object = {}) => ({ id, name, price, ...more });
const choice = (id: string, name: string, min: number, max: number, options: object[]) => ({
  id,
  name,
  min_choice_options: min,
  max_choice_options: max,
  options,
});

const CRUST = choice('crust', 'Crust', 1, 1, [
  option('thin', 'Thin crust', 0, { default_qty: 1 }),
  option('pan', 'Deep pan', 200, {
    customizations: [
      choice('edge', 'Edge', 0, 1, [
        option('stuffed', 'Stuffed with mozzarella', 150, { food: { allergens: ['milk'], may_contain: ['sesame'] } }),
      ]),
    ],
  }),
]);
const TOPPINGS = choice('top', 'Toppings', 0, 6, [
  option('olives', 'Kalamata olives', 150, { max_qty: 2 }),
  option('hot', 'Calabrian chili', 100),
]);

/** A pizzeria's menu with short ids. */
const MENU = [
  {
    id: 'pies',
    name: 'Pizza',
    products: [
      {
        id: 'margherita',
        name: 'Margherita',
        price: 1450,
        customizations: [CRUST, TOPPINGS],
        food: { allergens: ['milk', 'wheat'], may_contain: ['tree_nuts'] },
      },
      { id: 'funghi', name: 'Funghi e Tartufo', price: 1890, customizations: [CRUST] },
      { id: 'diavola', name: 'Diavola', price: 1690 },
      { id: 'marinara', name: 'Marinara', price: 1250 },
    ],
  },
  {
    id: 'more',
    name: 'Sides and desserts',
    products: [
      { id: 'knots', name: 'Garlic knots, six', price: 650 },
      { id: 'caesar', name: 'Caesar salad', price: 1150 },
      { id: 'tiramisu', name: 'Tiramisù', price: 850, qty_available: 6 },
    ],
  },
  {
    id: 'drinks',
    name: 'Drinks',
    products: [
      { id: 'cola', name: 'Cola', price: 300 },
      { id: 'water', name: 'Sparkling water', price: 350 },
    ],
  },
];

export type Kitchen = {
  storeId: string;
  client: Client;
  /** A new access code for the store's console. */
  invite(): Promise<string>;
  /** Places a live order without a charge, with products by name. */
  place(items: readonly Line[], changes?: object): Promise<string>;
  /** Ends every open order. */
  endOrders(): Promise<void>;
};
type Line = { name: string; quantity?: number; options?: readonly string[]; notes?: string; wants?: Wants };
/** The customer's substitution preference: any product, or products by name. */
type Wants = 'store_choice' | readonly string[];

/** A live store with a menu and an account that orders there; `changes` override the store's feed line. */
export async function givenKitchen(app: App, changes: FeedLine = {}): Promise<Kitchen> {
  const [storeId = ''] = await givenStores(app, [
    pizzeria({ external_id: 'kitchen', name: 'Brick Oven', categories: MENU, ...changes }),
  ]);
  await givenChannel(app, storeId, { console: true });
  const client = await app.givenClient('live');
  const tokens = await productTokens(client, storeId);
  const key = await givenStoreKey(app, storeId);
  return {
    storeId,
    client,
    invite: async () => (await issueAccessCode(app.service.deps.db, { storeId }, app.now())).code,
    async endOrders() {
      const { orders } = (await key.get('/store/orders')).body;
      for (const { order_id: id, steps } of orders) {
        if (steps.includes('cancel')) await key.post(`/store/orders/${id}/cancel`, { reason: 'store_closed' });
        else if (steps.includes('complete')) await key.post(`/store/orders/${id}/complete`, {});
      }
    },
    async place(lines, more = {}) {
      const wish = (wants: Wants) =>
        typeof wants === 'string'
          ? { preference: wants }
          : { preference: 'specific', product_ids: wants.map((name) => tokens[name]) };
      const items = lines.map(({ name, quantity = 1, options = [], notes = '', wants }) => ({
        product_id: tokens[name],
        quantity,
        notes,
        ...(wants && { substitution: wish(wants) }),
        selected_options: options.map((id) => ({ option_id: id, quantity: 1 })),
      }));
      const body = orderBody(undefined, null, { items, charge_user: false, autofill_selected_options: true, ...more });
      const reply = await client.post('/order/order/v2', body);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.order_id;
    },
  };
}
