import type { Client, Store, StoreAddress } from '../../../../clients/typescript/src/main.ts';
import { CommandFailure } from '../failure.ts';

export type SandboxDoor = { latitude: number; longitude: number };
export type SandboxOrder = {
  pickup: boolean;
  near: SandboxDoor;
  store: string | undefined;
  scenario: string | undefined;
};

type Inventory = Awaited<ReturnType<Client['stores']['inventory']>>;
type Dish = { product_id: string; min_price: number; is_available: boolean };

/** Maximum stores of the search that are tried. */
const MAX_STORES = 20;
/** Maximum depth of a grocery's categories. */
const MAX_LEVELS = 8;
const MAX_QUANTITY = 99;
const USER = { user_id: 'doorstep-trigger', user_email: 'trigger@example.com' };
const TIP_CENTS = 200;
/** The delivery address for a store that was chosen by id. */
const ADDRESS = { city: 'Chicago', state: 'IL', zipcode: '60607', country: 'US' };

/**
 * Places a paid sandbox order at the store, or at an open store near the address, and returns its id. Throws
 * CommandFailure if no store takes an order now.
 */
export async function placeSandboxOrder(client: Client, order: SandboxOrder): Promise<string> {
  const found = order.store === undefined ? await findStores(client, order) : [];
  const stores = order.store === undefined ? found : [{ _id: order.store, address: ADDRESS }];
  for (const store of stores) {
    const dish = await findDish(client, store._id, order);
    if (!dish) continue;
    const card = await client.paymentMethods.create({ ...USER, payment_token: 'tok_visa' });
    const { order_id: orderId } = await client.orders.create({
      ...sandboxOrderBody(order, store.address),
      items: [{ product_id: dish.product_id, quantity: dish.quantity }],
      payment_method_id: card.payment_method_id,
    });
    return orderId;
  }
  const what = order.pickup ? 'taking pickup orders' : 'delivering to the coordinate';
  throw new CommandFailure(
    order.store === undefined
      ? `No open store nearby is ${what} now. Pass a store with --store, or a coordinate with --near.`
      : `The store ${order.store} isn't ${what} now.`,
  );
}

async function findStores(client: Client, { near, pickup }: SandboxOrder): Promise<Store[]> {
  const mode = pickup ? { pickup: true } : { pickup: false, delivers_here: true };
  const { stores } = await client.stores.search({ ...near, ...mode, open: true, store_type: 'restaurant' }).first();
  return stores.slice(0, MAX_STORES);
}

/** A product on sale, in the quantity that the store requires; undefined if the store takes no order. */
async function findDish(client: Client, storeId: string, { pickup, near }: SandboxOrder) {
  let level: string | undefined;
  for (let depth = 0; depth < MAX_LEVELS; depth += 1) {
    const inventory = await client.stores.inventory({
      store_id: storeId,
      pickup,
      include_quote: true,
      user_latitude: near.latitude,
      user_longitude: near.longitude,
      ...(level === undefined ? {} : { subcategory_id: level }),
    });
    const minimum = minimumOf(inventory);
    if (minimum === undefined) return undefined;
    const dishes: Dish[] = inventory.categories.flatMap((category) => category.menu_item_list);
    const quantityOf = (dish: Dish) => Math.max(2, Math.ceil(minimum / Math.max(dish.min_price, 1)));
    const dish = dishes.find((one) => one.is_available && one.min_price > 0 && quantityOf(one) <= MAX_QUANTITY);
    if (dish) return { product_id: dish.product_id, quantity: quantityOf(dish) };
    level = inventory.categories.find((category) => category.menu_item_list.length === 0)?.subcategory_id;
    if (level === undefined) return undefined;
  }
  return undefined;
}

/** The order minimum in cents; undefined if the store quotes no order now. */
function minimumOf({ quote }: Inventory): number | undefined {
  if (!quote || 'error' in quote || !quote.asap_available) return undefined;
  return quote.order_minimum;
}

function sandboxOrderBody(
  { pickup, near, scenario }: SandboxOrder,
  { city, state, zipcode, country }: Pick<StoreAddress, 'city' | 'state' | 'zipcode' | 'country'>,
) {
  const door = {
    user_latitude: near.latitude,
    user_longitude: near.longitude,
    user_street_num: '100',
    user_street_name: 'Sandbox St',
    user_city: city,
    user_state: state,
    user_zipcode: zipcode,
    user_country: country,
    driver_tip_cents: TIP_CENTS,
  };
  return {
    ...USER,
    place_order: true,
    pickup,
    autofill_selected_options: true,
    user_name: 'Sandbox Eater',
    user_phone: 15555550123,
    ...(pickup ? {} : door),
    ...(scenario === undefined ? {} : { metadata: { sandbox_scenario: scenario } }),
  };
}

/** A tip above the order's first one. */
export const RAISED_TIP_CENTS = 2 * TIP_CENTS;
