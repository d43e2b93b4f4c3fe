import assert from 'node:assert/strict';
import type { Answer, Caller } from '../faults/service-process.ts';

// A client that relies on nothing but the service's answers.

type Option = { option_id: string; min_qty: number; customizations: Customization[] };
type Customization = { min_choice_options: number; options: Option[] };
type Product = {
  product_id: string;
  is_available: boolean;
  qty_available: number | null;
  price: number;
  customizations: Customization[];
};

export type Door = { user_latitude: string; user_longitude: string };
export type ShoppingWish = { door: Door; pickup: boolean; isScheduled: boolean };
/**
 * A dish of a store that takes orders now and later, in a quantity that reaches the store's minimum, and the store's
 * last window.
 */
export type Offer = { storeId: string; product: Product; items: object[]; lastSlotId: string };
export type Placed = {
  order_id: string;
  tracking_link: string;
  final_quote: { total_with_tip: number; quote: object };
};

/** Chooses the first required options and no optional ones. */
function chooseRequired(customizations: readonly Customization[]): object[] {
  return customizations.flatMap(({ min_choice_options: needed, options }) =>
    options
      .slice(0, needed)
      .flatMap((option) => [
        { option_id: option.option_id, quantity: Math.max(1, option.min_qty) },
        ...chooseRequired(option.customizations),
      ]),
  );
}

/** Dishes of stores near the door, nearest first. A dish for a slot need not be on sale now. */
export async function* offersFor({ get }: Caller, { door, pickup, isScheduled }: ShoppingWish): AsyncGenerator<Offer> {
  const near = { latitude: door.user_latitude, longitude: door.user_longitude };
  const found = await get('/search/store/v3', { ...near, pickup: String(pickup), open: 'true' });
  assert.equal(found.status, 200);
  for (const { _id: storeId } of found.body.stores as { _id: string }[]) {
    const query = { store_id: storeId, pickup: String(pickup), include_quote: 'true', ...door };
    const { status, body } = await get('/details/inventory', query);
    if (status !== 200 || body.quote.error || !body.quote.asap_available) continue;
    const lastSlotId = body.quote.time_estimate.scheduled.at(-1)?.id;
    if (lastSlotId === undefined) continue;
    const listed = (body.categories as { menu_item_list: Product[] }[]).flatMap((category) => category.menu_item_list);
    for (const { product_id } of listed) {
      const { body: product } = await get('/details/product', { product_id, pickup: String(pickup) });
      // Several orders share a dish, so counted stock may run out.
      if (!product.price || product.qty_available !== null || !(product.is_available || isScheduled)) continue;
      const quantity = Math.min(20, Math.max(1, Math.ceil(body.quote.order_minimum / product.price)));
      const items = [{ product_id, quantity, selected_options: chooseRequired(product.customizations) }];
      yield { storeId, product, items, lastSlotId };
    }
  }
}

/**
 * Requests quotes for one offer after another and places the first that succeeds. A refusal must agree with the
 * service's other responses.
 */
export async function placeFirstQuoted(caller: Caller, customer: object, wish: ShoppingWish): Promise<Placed> {
  for await (const offer of offersFor(caller, wish)) {
    const scheduled = wish.isScheduled ? { scheduled_id: offer.lastSlotId } : {};
    const order = { ...customer, items: offer.items, pickup: wish.pickup, include_final_quote: true, ...scheduled };
    const quoted = await caller.post('/order/order/v2', { ...order, place_order: false });
    if (quoted.status !== 200) {
      await assertRefusedRightly(caller, quoted, offer, wish);
      continue;
    }
    const finished = { ...order, order_id: quoted.body.order_id, place_order: true };
    const reply = await caller.post('/order/order/v2', finished);
    if (reply.status === 200) {
      assert.deepEqual([quoted.body.order_placed, reply.body.order_placed, reply.body.is_sandbox], [false, true, true]);
      assert.equal(reply.body.final_quote.total_with_tip, quoted.body.final_quote.total_with_tip);
      return reply.body;
    }
    assert.ok(!wish.isScheduled, `a quoted slot is refused: ${JSON.stringify(reply.body)}`);
    await assertRefusedRightly(caller, reply, offer, wish);
  }
  return assert.fail('no store takes orders now and later');
}

/** A dish is refused outside its menu hours: the slot's, or hours that ended since it was offered. */
async function assertRefusedRightly({ get }: Caller, reply: Answer, offer: Offer, wish: ShoppingWish): Promise<void> {
  const said = JSON.stringify(reply.body);
  if (wish.isScheduled) {
    assert.deepEqual([reply.status, reply.body.code], [422, 'product_unavailable'], said);
    return assert.match(reply.body.detail, /is outside its menu hours in that slot/);
  }
  assert.match(`${reply.status} ${reply.body.code}`, /^422 (product|quote)_unavailable$/, said);
  const pickup = String(wish.pickup);
  const { body: product } = await get('/details/product', { product_id: offer.product.product_id, pickup });
  const query = { store_id: offer.storeId, pickup, include_quote: 'true', ...wish.door };
  const { quote } = (await get('/details/inventory', query)).body;
  assert.ok(!product.is_available || !quote.asap_available, `${said} refuses what is offered still`);
}
