import { NEAR_DOOR, pizzeria } from '../feed-lines.ts';
import { type App, givenApp, type Reply } from '../harness.ts';
import { givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

export type Pizzeria = App & {
  storeId: string;
  /** Product tokens by name. */
  tokens: Record<string, string>;
  /** A payment method whose card can be charged. */
  card: string;
  /** An item with nested modifiers that change each other's prices. */
  bigPie(): object;
  /** Body of a delivery order of one product, to be placed; `changes` override its members. */
  bodyOf(product: string, changes?: object): object;
  /** Places a delivery order of one product; `changes` override its members. */
  place(product: string, changes?: object): Promise<Reply>;
  /** Takes a step of an order as the sandbox has it. */
  step(orderId: string, event: string, more?: object): Promise<Reply>;
  /** The order as polling shows it. */
  orderOf(orderId: string): Promise<Reply['body']>;
  chargesOf(orderId: string): Promise<Reply['body']>;
  /** Ids of the slots that are offered for delivery. */
  slotsOf(): Promise<string[]>;
};

export const option = (id: string, more: object = {}) => ({ option_id: id, quantity: 1, ...more });

/** The application with a pizzeria, and the actions of its customer. */
export async function givenPizzeria(open: () => Promise<App> = givenApp): Promise<Pizzeria> {
  const app = await open();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const tokens = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  return {
    ...app,
    storeId,
    tokens,
    card,
    bigPie: () => ({
      product_id: tokens.Margherita,
      selected_options: [option('l'), option('olives', { quantity: 2 }), option('sq')],
    }),
    bodyOf: (product, changes = {}) => orderBody(tokens[product], card, changes),
    place: (product, changes = {}) => app.post('/order/order/v2', orderBody(tokens[product], card, changes)),
    step: (orderId, event, more = {}) => app.post(`/sandbox/orders/${orderId}/advance`, { event, ...more }),
    orderOf: async (orderId) => (await app.get('/account/orders', { order_id: orderId })).body.orders[0],
    chargesOf: async (orderId) => (await app.get('/sandbox/charges', { order_id: orderId })).body.charges,
    slotsOf: () => deliverySlots(app, storeId),
  };
}

/** Ids of the slots that a store offers for delivery. */
export async function deliverySlots(app: App, storeId: string): Promise<string[]> {
  const query = { store_id: storeId, pickup: false, include_quote: true, ...NEAR_DOOR };
  const reply = await app.get('/details/inventory', query);
  return reply.body.quote.time_estimate.scheduled.map((slot: { id: string }) => slot.id);
}
