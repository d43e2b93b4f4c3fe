import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { NEAR_DOOR } from '../../../test/feed-lines.ts';
import { grocery, NO_FEES, searchCart, storesIn, withStores } from '../../../test/given/groceries.ts';
import { givenApp } from '../../../test/harness.ts';

const app = await givenApp();
after(() => app.close());

test('a cart adds items by weight and packages up to the requested amounts', async () => {
  const pound = (price: number, weight: object = {}) => ({
    price,
    sold_by: 'weight',
    weight: { unit: 'lb', ...weight },
  });
  const size = (price: number, unit_size: number, unit_of_measurement: string) => ({
    price,
    unit_size,
    unit_of_measurement,
  });
  const lines = [
    grocery('weighed', {
      Salmon: pound(1399),
      Bananas: pound(79, { piece_weight: 0.367 }),
      Cheddar: pound(899, { step: 0.5, max: 2 }),
      'Whole Milk': size(599, 1, 'gal'),
      Rice: size(199, 16, 'oz'),
    }),
    grocery('packed', {
      Salmon: size(1200, 12, 'oz'),
      Bananas: 29,
      Cheddar: 499,
      'Whole Milk': size(329, 64, 'fl oz'),
      Rice: size(399, 2, 'lb'),
    }),
  ];
  await withStores(app, lines, async () => {
    const wanted = { salmon: '700 g', bananas: 3, milk: '1.5 gal', rice: '3 lb', cheddar: 1 };
    const { carts } = await searchCart(app, wanted);
    const ordered = (at: number) =>
      Object.keys(wanted).map((line) => {
        const { quantity, pieces, estimated_price } = carts[at].products[line][0];
        return [quantity, pieces, estimated_price];
      });
    const of = (name: string) =>
      carts.findIndex(({ store }: { store: { name: string } }) => store.name === `Store ${name}`);
    const weighed = [
      [1.75, undefined, 2448],
      [1.101, 3, 87],
      [2, undefined, undefined],
      [3, undefined, undefined],
      [1, undefined, 899],
    ];
    assert.deepEqual(ordered(of('weighed')), weighed);
    assert.equal(carts[of('weighed')].subtotal, 2448 + 87 + 2 * 599 + 3 * 199 + 899);
    assert.deepEqual(
      ordered(of('packed')),
      [3, 3, 3, 2, 1].map((count) => [count, undefined, undefined]),
    );
    assert.equal(carts[of('packed')].subtotal, 3 * 1200 + 3 * 29 + 3 * 329 + 2 * 399 + 499);
    const tooMuch = await searchCart(app, { cheddar: '3 lb' });
    assert.deepEqual(tooMuch.carts, [], 'more than its maximum, and no size to measure');
  });
});

test('full carts come cheapest first, with all that an order there would charge before a tip', async () => {
  const fees = {
    delivery_fee: { delivery_fee_flat: 299, delivery_fee_taxable: true },
    service_fee: { service_fee_percent: 10, service_fee_min: 100, service_fee_max: 800, service_fee_taxable: true },
    small_order_fee: { minimum_order_value: 1200, small_order_fee_flat: 200 },
    order_minimum: 500,
    sales_tax_percent: 8.875,
  };
  const lines = [
    grocery('cheap-goods', { 'Whole Milk': 300, 'Large Eggs': 400 }, { fees }),
    grocery('dear-goods', { 'Whole Milk': 450, 'Large Eggs': 500 }),
    grocery('no-eggs', { 'Whole Milk': 1 }),
  ];
  await withStores(app, lines, async (ids) => {
    const body = await searchCart(app, { milk: 2, eggs: 1 });
    assert.equal(storesIn(body), 'dear-goods cheap-goods');
    const cart = body.carts[1];
    const { store, products, ...money } = cart;
    assert.deepEqual(money, {
      store_id: ids.get('cheap-goods'),
      pickup: false,
      subtotal: 1000,
      delivery_fee_cents: 299,
      service_fee_cents: 100,
      small_order_fee_cents: 200,
      sales_tax_cents: 124,
      taxes: [{ name: 'Sales tax', amount: 124 }],
      grand_total: 1723,
      is_full_cart: true,
      missing: [],
      order_minimum: 500,
      meets_order_minimum: true,
    });
    assert.deepEqual([store.name, store.is_open, store.address.city], ['Store cheap-goods', true, 'New York']);
    assert.deepEqual(Object.keys(products), ['milk', 'eggs']);
    const { product_id: productId, store: where, ...milk } = products.milk[0];
    assert.deepEqual(where, store);
    assert.deepEqual(milk, {
      store_id: ids.get('cheap-goods'),
      name: 'Whole Milk',
      price: 300,
      original_price: 300,
      formatted_price: '$3.00',
      image: null,
      unit_size: null,
      unit_of_measurement: '',
      upc_code: null,
      food: null,
      category: 'Goods',
      quantity: 2,
      min_price: 300,
    });
    const order = await app.post('/order/order/v2', {
      items: [
        { product_id: productId, quantity: 2 },
        { product_id: products.eggs[0].product_id, quantity: 1 },
      ],
      pickup: false,
      include_final_quote: true,
      ...NEAR_DOOR,
    });
    assert.equal(order.body.final_quote.quote.total_without_tips, 1723, order.text);
  });
});

test('each line gets the cheapest product that is the thing itself, and up to four alternatives, none of them a look-alike', async () => {
  const goods = {
    'Oat Milk': 100,
    'Milk Chocolate': 90,
    Milk: 500,
    'Whole Milk': 350,
    'Skim Milk': 340,
    'Goat Milk': 360,
    'Farm Milk': 365,
    'Fresh Milk': 370,
  };
  await withStores(app, [grocery('dairy', goods)], async () => {
    const [cart] = (await searchCart(app, { milk: 1 })).carts;
    const names = cart.products.milk.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['Skim Milk', 'Whole Milk', 'Goat Milk', 'Farm Milk', 'Fresh Milk']);
    assert.equal(cart.grand_total, 340);
  });
});

test('a cart never buys a dish or another kind of a thing because it costs less than the thing', async () => {
  const cheap = { 'Mac and Cheese': 100, 'Brown Sugar': 100, 'Fish & Chips': 100 };
  const things = { 'Cheddar Cheese': 900, 'Granulated Sugar': 900, 'Potato Chips': 900 };
  const lines = [grocery('both', { ...cheap, ...things }), grocery('dishes', cheap)];
  await withStores(app, lines, async (ids) => {
    const chosen = (body: { carts: { products: Record<string, { name: string }[]> }[] }) =>
      body.carts.map(({ products }) => Object.values(products).map(([first]) => first?.name));
    const things = await searchCart(app, { cheese: 1, sugar: 1, chips: 1 });
    assert.deepEqual(chosen(things), [['Cheddar Cheese', 'Granulated Sugar', 'Potato Chips']]);
    const dishes = await searchCart(app, { 'mac and cheese': 1, 'brown sugar': 1, 'fish and chips': 1 });
    assert.equal(dishes.carts.length, ids.size);
    for (const names of chosen(dishes)) assert.deepEqual(names, ['Mac and Cheese', 'Brown Sugar', 'Fish & Chips']);
  });
});

test('a line gets a product that only resembles it where no store nearby has the product itself', async () => {
  const stores = [
    grocery('has-milk', { Milk: 400 }),
    grocery('has-bars', { 'Milk Chocolate Bar': 100 }),
    grocery('has-milky', { 'Milky Way Bites': 50 }),
  ];
  await withStores(app, stores, async () => {
    assert.equal(storesIn(await searchCart(app, { milk: 1 })), 'has-milk');
  });
  await withStores(app, stores.slice(1), async () => {
    assert.equal(storesIn(await searchCart(app, { milk: 1 })), 'has-bars');
  });
});

test('a line that nothing answers is read in other ways, as product search reads it', async () => {
  await withStores(app, [grocery('wings', { 'Chicken Nuggets': 500 }), grocery('none', { Soap: 1 })], async () => {
    assert.equal(storesIn(await searchCart(app, { chickennuggets: 1 })), 'wings');
    assert.deepEqual((await searchCart(app, { 'purple unicorn': 1 })).carts, []);
  });
});

test('required choices are in the price, and a line that is a UPC finds its product in any length', async () => {
  const size = {
    id: 'size',
    name: 'Size',
    min_choice_options: 1,
    max_choice_options: 1,
    options: [
      { id: 's', name: 'Small', price: 150 },
      { id: 'l', name: 'Large', price: 400 },
    ],
  };
  const goods = { Soda: { price: 250, upc_code: '036000291452' }, Coffee: { price: 200, customizations: [size] } };
  await withStores(app, [grocery('corner', goods)], async () => {
    const [cart] = (await searchCart(app, { coffee: 2, '0036000291452': 1 })).carts;
    assert.deepEqual([cart.products.coffee[0].price, cart.products.coffee[0].min_price], [200, 350]);
    assert.equal(cart.products['0036000291452'][0].name, 'Soda');
    assert.equal(cart.grand_total, 950);
  });
});

test('required choices are taxed as their product, as an order taxes them', async () => {
  const options = [{ id: 's', name: 'Small', price: 150 }];
  const size = { id: 'size', name: 'Size', min_choice_options: 1, max_choice_options: 1, options };
  const taxes = [
    { name: 'Candy tax', percent: 10, classes: ['candy'] },
    { name: 'General tax', percent: 5, classes: ['general'] },
  ];
  const goods = {
    Fudge: { price: 850, tax_class: 'candy', customizations: [size] },
    Soap: { price: 400, tax_class: 'general', customizations: [size] },
  };
  await withStores(app, [grocery('sweets', goods, { fees: { ...NO_FEES, taxes } })], async () => {
    const [cart] = (await searchCart(app, { fudge: 2, soap: 1 })).carts;
    const amounts = [
      { name: 'Candy tax', amount: 200 },
      { name: 'General tax', amount: 28 },
    ];
    assert.deepEqual([cart.taxes, cart.grand_total], [amounts, 2 * 1000 + 550 + 228]);
    const selected_options = [{ option_id: 's' }];
    const items = [
      { product_id: cart.products.fudge[0].product_id, quantity: 2, selected_options },
      { product_id: cart.products.soap[0].product_id, quantity: 1, selected_options },
    ];
    const order = await app.post('/order/order/v2', { items, pickup: false, include_final_quote: true, ...NEAR_DOOR });
    const { quote } = order.body.final_quote;
    assert.deepEqual([quote.taxes, quote.total_without_tips], [amounts, cart.grand_total], order.text);
  });
});

test('carts under the order minimum follow, and carts that lack lines come last where the request wants them', async () => {
  const stores = [
    grocery('full', { Milk: 900, Eggs: 900, Bread: 900 }),
    grocery('small', { Milk: 1, Eggs: 1, Bread: 1 }, { fees: { ...NO_FEES, order_minimum: 1000 } }),
    grocery('one-short', { Milk: 5, Eggs: 5 }),
    grocery('two-short', { Milk: 2 }),
    grocery('none', { Soap: 1 }),
  ];
  await withStores(app, stores, async () => {
    const cart = { milk: 1, eggs: 1, bread: 1 };
    const full = await searchCart(app, cart);
    assert.equal(storesIn(full), 'full small');
    assert.deepEqual([full.carts[1].meets_order_minimum, full.carts[1].order_minimum], [false, 1000]);
    const all = await searchCart(app, cart, { full_carts_only: false });
    assert.equal(storesIn(all), 'full small one-short two-short');
    const { missing, is_full_cart: isFull, products } = all.carts[3];
    assert.deepEqual([missing, isFull, Object.keys(products)], [['eggs', 'bread'], false, ['milk']]);
  });
});

test('without pickup a cart is priced for delivery where the store delivers to the place, otherwise for pickup', async () => {
  const goods = { Milk: { price: 500, pickup_price: 400 }, 'Counter Cheese': { price: 100, modes: ['pickup'] } };
  const far = { latitude: 40.9, longitude: -73.99 };
  const stores = [
    grocery('near', goods),
    grocery('far', goods, { ...far, delivery: { enabled: true, radius_miles: 2 } }),
    grocery('delivers-only', goods, { pickup: { enabled: false } }),
  ];
  const shownModes = (body: { carts: { store: { name: string }; pickup: boolean; grand_total: number }[] }) =>
    Object.fromEntries(body.carts.map((cart) => [cart.store.name.slice(6), `${cart.pickup} ${cart.grand_total}`]));
  await withStores(app, stores, async () => {
    assert.deepEqual(shownModes(await searchCart(app, { milk: 1 })), {
      far: 'true 400',
      near: 'false 500',
      'delivers-only': 'false 500',
    });
    assert.deepEqual(shownModes(await searchCart(app, { milk: 1 }, { pickup: true })), {
      near: 'true 400',
      far: 'true 400',
    });
    assert.deepEqual(shownModes(await searchCart(app, { milk: 1 }, { pickup: false })), {
      near: 'false 500',
      'delivers-only': 'false 500',
    });
    assert.deepEqual(shownModes(await searchCart(app, { milk: 1 }, { delivers_here: true })), {
      near: 'false 500',
      'delivers-only': 'false 500',
    });
    assert.deepEqual(shownModes(await searchCart(app, { 'counter cheese': 1 })), { far: 'true 100' });
  });
});

test('one store can be named however far it is, an unknown one is refused, and radius and type narrow', async () => {
  const stores = [
    grocery('near', { Milk: 300 }),
    grocery('diner', { Milk: 100 }, { type: 'restaurant' }),
    grocery('away', { Milk: 200 }, { latitude: 41.5, longitude: -73.9 }),
    grocery('abroad', { Milk: 150 }, { latitude: 43.7, longitude: -79.4 }),
  ];
  await withStores(app, stores, async (ids) => {
    assert.equal(storesIn(await searchCart(app, { milk: 1 })), 'diner away near');
    assert.equal(storesIn(await searchCart(app, { milk: 1 }, { maximum_miles: 5 })), 'diner near');
    assert.equal(
      storesIn(await searchCart(app, { milk: 1 }, { pickup: true, maximum_miles: 9000 })),
      'diner abroad away near',
    );
    assert.equal(storesIn(await searchCart(app, { milk: 1 }, { store_type: 'grocery' })), 'away near');
    assert.equal(storesIn(await searchCart(app, { milk: 1 }, { store_id: ids.get('away') as string })), 'away');
    const unknown = await app.get('/search/cart', {
      query: '{"milk":1}',
      ...NEAR_DOOR,
      store_id: '0123456789abcdef01234567',
    });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'store_not_found']);
  });
});

test('a wrong request is refused with the names of its faults', async () => {
  const refused = async (query: Record<string, string | number>) => {
    const { status, body } = await app.get('/search/cart', query);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
    return body.errors.map(({ name }: { name: string }) => name);
  };
  assert.deepEqual(await refused({ query: 'milk', ...NEAR_DOOR }), ['query']);
  assert.deepEqual(await refused({ query: '{"milk":0,"":1}', ...NEAR_DOOR }), ['query', 'query']);
  assert.deepEqual(await refused({ query: '{"__proto__":1}', ...NEAR_DOOR }), ['query']);
});
