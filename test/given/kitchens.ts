import { pizzeria } from '../feed-lines.ts';
import { type Client, givenApp } from '../harness.ts';
import { givenChannel } from './merchant.ts';
import { CARD, givenPaymentMethod, orderBody, productTokens } from './orders.ts';
import { givenStores } from './stores.ts';

/** A quarter of an hour begins. */
export const START = '2026-06-10T17:00:00Z';
export const OPEN = { hours: { operational: '24/7' }, scheduling: { enabled: false } };

/** A service with live orders at pizzerias, one line each. */
export async function givenKitchens(...lines: object[]) {
  const app = await givenApp({ start: START });
  const { gateways } = app.service.deps;
  gateways.live = gateways.sandbox;
  const storeIds = await givenStores(
    app,
    lines.map((line, n) => pizzeria({ external_id: `k${n}`, ...OPEN, ...line })),
  );
  for (const storeId of storeIds) await givenChannel(app, storeId);
  const live = await app.givenClient('live');
  const card = { payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' };
  const { payment_method_id: liveCard } = (await live.post('/payment/create', card)).body;
  await app.catchUp();
  const [storeId = ''] = storeIds;
  const quoteOf = async (client: Client = live, of = storeId) => {
    const query = { store_id: of, pickup: true, include_quote: true };
    return (await client.get('/details/inventory', query)).body;
  };
  const minutesOf = async (client?: Client, of?: string) => (await quoteOf(client, of)).quote.time_estimate?.minimum;
  const cards = new Map([[live, Promise.resolve(liveCard)]]);
  const cardOf = (client: Client) => {
    const known = cards.get(client) ?? givenPaymentMethod(client);
    cards.set(client, known);
    return known;
  };
  const products = new Map<string, ReturnType<typeof productTokens>>();
  const tokensOf = (client: Client, of: string) => {
    const known = products.get(of) ?? productTokens(client, of, true);
    products.set(of, known);
    return known;
  };
  const place = async (changes: object = {}, { client = live, of = storeId, quantity = 1, headers = {} } = {}) => {
    const { Margherita: product_id } = await tokensOf(client, of);
    const pays = await cardOf(client);
    const items = [{ product_id, quantity, selected_options: [{ option_id: 's', quantity: 1 }] }];
    return client.post(
      '/order/order/v2',
      orderBody(undefined, pays, { pickup: true, driver_tip_cents: 0, items, ...changes }),
      headers,
    );
  };
  /** Publishes the room, and has this node's search follow. */
  const settle = async () => {
    await app.advance({ milliseconds: 1 });
    await app.catchUp();
  };
  return { app, live, storeIds, storeId, quoteOf, minutesOf, place, settle };
}
