import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { pizzeria } from '../feed-lines.ts';
import { freePort } from '../given/command.ts';
import { productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenApp } from '../harness.ts';
import { type BuyerOptions, buyerOf, type Transport } from './buyer.ts';
import type { FoodFixture, FoodTarget } from './food-cases.ts';
import { CHECKOUT, FULFILLMENT, givenPlatform, newKey, type Platform, profileOf, TIP } from './platform.ts';

/** The service with food, and platforms that are bound to an account of it. */

/** The capability of menus of a service on this machine. */
const MENU = 'localhost.food.menu';
export const FOOD = [CHECKOUT, FULFILLMENT, TIP, MENU];

export type FoodApp = App & {
  url: string;
  platform: Platform;
  /** Binds a platform of its own to the app's account, or to another one. */
  bind(name: string, options?: BindOptions): Promise<BuyerOptions>;
};
type BindOptions = {
  orders?: 'handover' | 'place';
  mode?: 'sandbox' | 'live';
  names?: string[];
  accountId?: string;
};

export async function givenFoodApp(env: Record<string, string> = {}): Promise<FoodApp> {
  const PORT = await freePort();
  const app = await givenApp({ env: { UCP: 'draft', WEBHOOK_ALLOW_PRIVATE: 'true', PORT, ...env } });
  const url = await app.service.listen();
  const platform = await givenPlatform();
  const { db } = app.service.deps;
  return {
    ...app,
    url,
    platform,
    async bind(name, { orders = 'place', mode = 'sandbox', names = FOOD, accountId = app.accountId } = {}) {
      const key = newKey(name);
      const profileUrl = platform.publish(`/${name}`, profileOf([key], names));
      const terms = { termsUrl: 'https://shop.example/terms', privacyUrl: 'https://shop.example/privacy' };
      await saveBranding(db, accountId, terms, app.now());
      await bindPlatform(db, { profileUrl, accountId, mode, orders }, app.now());
      return { url, profile: profileUrl, key };
    },
    async close() {
      await platform.close();
      await app.close();
    },
  };
}

const EXTRA = {
  id: 'extra',
  name: 'Extra',
  products: [
    { id: 'pie', name: 'Plain Pie', price: 900 },
    { id: 'wine', name: 'Wine', price: 2000, is_alcoholic: true },
    { id: 'bar', name: 'Nut Bar', price: 700, food: { allergens: ['peanuts'] } },
    { id: 'none', name: 'None Left', price: 900, qty_available: 0 },
  ],
};

/** A store with dishes of every kind, as the cases describe it. */
export async function givenFoodFixture(app: FoodApp): Promise<FoodFixture> {
  const { categories, ...line } = pizzeria();
  const lines = (price: number) => [
    {
      ...line,
      categories: [
        ...(categories as object[]),
        { ...EXTRA, products: [{ id: 'pie', name: 'Plain Pie', price }, ...EXTRA.products.slice(1)] },
      ],
    },
  ];
  const evening = { hours: { operational: 'Mo-Su 18:00-22:00' } };
  const [[locationId = ''], [otherId = '', closedId = '', offId = '']] = [
    await givenStores(app, lines(900)),
    await givenStores(app, [
      pizzeria({ external_id: 'other', name: 'Other Pizzeria' }),
      pizzeria({ external_id: 'closed', name: 'Evening Pizzeria', ...evening }),
      pizzeria({ external_id: 'off', name: 'Off Pizzeria', online_ordering: false }),
    ]),
  ];
  const tokens = await productTokens(app, locationId);
  const idOf = (name: string) => ({ id: tokens[name] ?? '' });
  const clock = (moved: Temporal.DurationLike) =>
    app
      .now()
      .add(moved)
      .toZonedDateTimeISO('America/New_York')
      .toString({ timeZoneName: 'never', smallestUnit: 'second' });
  return {
    locationId,
    dishes: {
      plain: { ...idOf('Plain Pie'), price: 900 },
      cheap: idOf('Soda'),
      modified: {
        ...idOf('Margherita'),
        price: 1400,
        modifications: [{ id: 'l' }, { id: 'olives', quantity: 2 }, { id: 'sq' }],
        prices: { l: 600, olives: 250, sq: 0 },
      },
      soldOut: idOf('None Left'),
      atOtherHours: idOf('Breakfast Pie'),
      alcoholic: idOf('Wine'),
      labeled: { ...idOf('Nut Bar'), allergen: /peanut/i },
    },
    foreignDish: { id: (await productTokens(app, otherId)).Soda ?? '' },
    unorderable: { locationId: offId },
    closed: { locationId: closedId, dish: { id: (await productTokens(app, closedId))['Few Left'] ?? '' } },
    near: { address: NEAR, geo: { latitude: 40.744, longitude: -73.988 } },
    far: { address: NEAR, geo: { latitude: 41.5, longitude: -73.988 } },
    apart: {
      address: { ...NEAR, street_address: '120 5th Ave', postal_code: '10011' },
      geo: { latitude: 40.746, longitude: -73.988 },
    },
    slotTime: () => clock({ hours: 3 }),
    noSlotTime: () => clock({ hours: 24 * 30 }),
    tokens: { good: 'tok_visa', declined: 'tok_declined' },
    async setPrice(_dish, price) {
      await givenStores(app, lines(price));
    },
    passHours: (hours) => app.advance({ hours }),
    async chargedFor(orderId) {
      const { body } = await app.get('/sandbox/charges', { order_id: orderId });
      const charged = body.charges.filter(({ status }: { status: string }) => status === 'succeeded');
      return charged.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    },
  };
}

export const NEAR = {
  street_address: '10 W 21st St',
  address_locality: 'New York',
  address_region: 'NY',
  postal_code: '10010',
  address_country: 'US',
};

/** Platforms that order over one transport. */
export async function givenFoodTarget(app: FoodApp, fixture: FoodFixture, transport: Transport): Promise<FoodTarget> {
  const buyer = async (name: string, options?: BindOptions) =>
    buyerOf({ ...(await app.bind(`${name}-${transport}`, options)), transport });
  return {
    fixture,
    place: await buyer('places'),
    handover: await buyer('hands-over', { orders: 'handover' }),
    withoutExtensions: await buyer('plain', { names: [CHECKOUT] }),
  };
}
