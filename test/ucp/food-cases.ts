import assert from 'node:assert/strict';
import { type Buyer, payBy } from './buyer.ts';
import type { Answer } from './platform.ts';

/** A location that takes orders, and what is true of it. Prices are in minor units. */
export type FoodFixture = {
  locationId: string;
  /** Dishes of the location. */
  dishes: {
    /** Without modifications, sold by itself above the minimum. */
    plain: { id: string; price: number };
    /** Below the minimum of an order. */
    cheap: { id: string };
    /** With a required choice, and one that changes the price of another and has choices of its own. */
    modified: {
      id: string;
      price: number;
      /** A valid choice, with the price of each in it. */
      modifications: readonly { id: string; quantity?: number }[];
      prices: Readonly<Record<string, number>>;
    };
    soldOut: { id: string };
    /** On the menu, at other hours. */
    atOtherHours: { id: string };
    alcoholic: { id: string };
    /** With known allergens. */
    labeled: { id: string; allergen: RegExp };
  };
  /** Of another location. */
  foreignDish: { id: string };
  /** A location that does not take orders. */
  unorderable: { locationId: string };
  /** A location that is closed now, and has slots later. */
  closed: { locationId: string; dish: { id: string } };
  near: object;
  far: object;
  /** An address, and a coordinate more than 500 m from it. */
  apart: object;
  /** A time that has a slot, and one that has none. */
  slotTime(): string;
  noSlotTime(): string;
  tokens: { good: string; declined: string };
  setPrice(dish: 'plain', price: number): Promise<void>;
  passHours(hours: number): Promise<void>;
  /** The amount that was charged for an order. */
  chargedFor(orderId: string): Promise<number>;
};

/** Platforms that are bound to an account: one hands over, one places orders. */
export type FoodTarget = { fixture: FoodFixture; handover: Buyer; place: Buyer; withoutExtensions: Buyer };

/** One statement of the protocol or of its draft, and how a server shows that it keeps it. */
export type FoodCase = { name: string; run(target: FoodTarget): Promise<void> };

const BUYER = { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+14155550199' };
const delivery = (destination: object, more: object = {}) => ({
  fulfillment: { methods: [{ type: 'delivery', destination: { type: 'delivery_address', ...destination }, ...more }] },
});
const PICKUP = { fulfillment: { methods: [{ type: 'pickup' }] } };

const line = (id: string, quantity = 1, more: object = {}) => ({ quantity, dish: { id, ...more } });
type Cart = { lines?: readonly object[]; more?: object };
function cart({ fixture }: FoodTarget, { lines, more = {} }: Cart = {}) {
  const { locationId, dishes } = fixture;
  return { food_establishment: { id: locationId }, line_items: lines ?? [line(dishes.plain.id, 2)], ...more };
}

/** A cart that a platform which places orders could complete. */
const whole = (target: FoodTarget, more: object = {}) => ({ buyer: BUYER, ...delivery(target.fixture.near), ...more });

async function created(buyer: Buyer, body: object): Promise<Answer['body']> {
  const answer = await buyer.create(body);
  assert.equal(answer.status, buyer.transport === 'rest' ? 201 : 200, answer.text);
  assert.equal(typeof answer.body.id, 'string', answer.text);
  addsUp(answer.body);
  return answer.body;
}

async function ready(target: FoodTarget, given: Cart = {}) {
  const { place } = target;
  const checkout = await created(place, cart(target, { ...given, more: whole(target, given.more) }));
  assert.equal(checkout.status, 'ready_for_complete', JSON.stringify(checkout.messages));
  return checkout;
}

const amountOf = ({ totals }: Answer['body'], type: string): number =>
  totals
    .filter((one: { type: string }) => one.type === type)
    .reduce((sum: number, one: { amount: number }) => sum + one.amount, 0);

/** One subtotal and one total; everything between adds up to it, and lines to their dishes. */
export function addsUp(checkout: Answer['body']): void {
  const { totals, line_items: lines } = checkout;
  const types = totals.map(({ type }: { type: string }) => type);
  assert.equal(types.filter((type: string) => type === 'subtotal').length, 1);
  assert.equal(types.filter((type: string) => type === 'total').length, 1);
  const parts = totals.filter(({ type }: { type: string }) => type !== 'total');
  const sum = parts.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
  assert.equal(sum, amountOf(checkout, 'total'), JSON.stringify(totals));
  for (const { lines: within, amount } of totals) {
    if (within)
      assert.equal(
        within.reduce((all: number, one: { amount: number }) => all + one.amount, 0),
        amount,
      );
  }
  let subtotal = 0;
  for (const { dish, quantity, totals: own } of lines) {
    const modifications = (dish.modifications ?? []) as { price: number; quantity?: number }[];
    const unit = modifications.reduce((all, one) => all + one.price * (one.quantity ?? 1), dish.price);
    assert.equal(own.find(({ type }: { type: string }) => type === 'subtotal').amount, unit * quantity);
    subtotal += unit * quantity;
  }
  assert.equal(amountOf(checkout, 'subtotal'), subtotal);
}

const errorsOf = ({ messages = [] }: Answer['body']): { code: string; path?: string; severity: string }[] =>
  messages.filter(({ type }: { type: string }) => type === 'error');

/** The checkout has exactly these errors, in any sequence. */
function hasErrors(checkout: Answer['body'], expected: readonly (readonly [code: string, path: string])[]): void {
  const found = errorsOf(checkout).map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(
    found.sort(),
    expected.map(([code, path]) => `${code} ${path}`).sort(),
    JSON.stringify(checkout.messages),
  );
}

function isRefused({ status, body, text }: Answer, expected: number, code: string): void {
  assert.deepEqual([status, body.code], [expected, code], text);
  assert.equal(typeof body.content, 'string');
}

const METHOD = '$.fulfillment.methods[0]';

const CREATING: readonly FoodCase[] = [
  {
    name: 'a cart is created with titles, prices, links and expiry, and asks for a method that is missing',
    async run(target) {
      const { place, fixture } = target;
      const { plain } = fixture.dishes;
      const checkout = await created(place, cart(target, { lines: [line(plain.id, 2, { note: 'No salt' })] }));
      assert.equal(checkout.status, 'incomplete');
      hasErrors(checkout, [['missing', '$.fulfillment.methods']]);
      const [shown] = checkout.line_items;
      assert.deepEqual([shown.quantity, shown.dish.price, shown.dish.note], [2, plain.price, 'No salt']);
      assert.ok(shown.dish.title.length > 0);
      assert.deepEqual(checkout.links.map(({ type }: { type: string }) => type).sort(), [
        'privacy_policy',
        'terms_of_service',
      ]);
      assert.equal(checkout.food_establishment.id, fixture.locationId);
      assert.ok(Date.parse(checkout.expires_at) > 0);
      assert.deepEqual(
        checkout.fulfillment.available_methods.map((one: { type: string; fulfillable_on: string }) => [
          one.type,
          one.fulfillable_on,
        ]),
        [
          ['delivery', 'now'],
          ['pickup', 'now'],
        ],
      );
      assert.equal(checkout.order, undefined);
      assert.equal(checkout.continue_url, undefined);
    },
  },
  {
    name: 'an unknown or unorderable location and an unknown dish are an error response without a checkout',
    async run(target) {
      const { place, fixture } = target;
      const { plain } = fixture.dishes;
      const bad = [
        [{ food_establishment: { id: 'none' }, line_items: [line(plain.id)] }, 'not_found'],
        [
          { food_establishment: { id: fixture.unorderable.locationId }, line_items: [line(plain.id)] },
          'location_closed',
        ],
        [cart(target, { lines: [line(plain.id), line('none')] }), 'item_unavailable'],
      ] as const;
      for (const [body, code] of bad) {
        const answer = await place.create(body);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.body.ucp.status, 'error');
        assert.equal(answer.body.id, undefined);
        assert.deepEqual([answer.body.messages[0].code, answer.body.messages[0].severity], [code, 'unrecoverable']);
      }
    },
  },
  {
    name: 'a dish of another store is a fault of the new checkout that the platform can fix',
    async run(target) {
      const { place, fixture } = target;
      const { plain } = fixture.dishes;
      for (const lines of [[line(plain.id, 2), line(fixture.foreignDish.id)], [line(fixture.foreignDish.id)]]) {
        const checkout = await created(place, cart(target, { lines, more: whole(target) }));
        assert.equal(checkout.status, 'incomplete');
        hasErrors(checkout, [['item_unavailable', `$.line_items[${lines.length - 1}].dish`]]);
        const fixed = await place.update(checkout.id, cart(target, { more: whole(target) }));
        assert.equal(fixed.body.status, 'ready_for_complete');
      }
    },
  },
  {
    name: 'what is no request is invalid_request',
    async run(target) {
      const { place, fixture } = target;
      const { plain } = fixture.dishes;
      for (const body of [
        {},
        { line_items: [line(plain.id)] },
        cart(target, { lines: [] }),
        cart(target, { lines: [{ dish: { id: plain.id } }] }),
        cart(target, { lines: [line(plain.id, 0)] }),
        cart(target, { more: { tip: { selected_option_id: 'tip_15', custom_amount: 100 } } }),
        cart(target, { more: { tip: { selected_option_id: 'tip_3' } } }),
        cart(target, { more: { buyer: 'Jane' } }),
      ]) {
        isRefused(await place.create(body), 400, 'invalid_request');
      }
    },
  },
  {
    name: 'a dish has its modifications with effective prices, nested and conditional ones, and the sum holds',
    async run(target) {
      const { modified } = target.fixture.dishes;
      const lines = [line(modified.id, 2, { modifications: modified.modifications })];
      const checkout = await ready(target, { lines });
      const [{ dish }] = checkout.line_items;
      assert.equal(dish.price, modified.price);
      const shown = dish.modifications as { id: string; price: number; quantity: number; title: string }[];
      assert.deepEqual(Object.fromEntries(shown.map(({ id, price }) => [id, price])), modified.prices);
      for (const { id, quantity = 1 } of modified.modifications) {
        assert.equal(shown.find((one) => one.id === id)?.quantity, quantity);
      }
    },
  },
  {
    name: 'repeated, missing, unknown and too many modifications are invalid_modifications at their dish',
    async run(target) {
      const { place, fixture } = target;
      const { modified } = fixture.dishes;
      const [first = { id: '' }] = modified.modifications;
      for (const modifications of [
        [],
        [...modified.modifications, first],
        [...modified.modifications, { id: 'none' }],
        modified.modifications.map(({ id }) => ({ id, quantity: 90 })),
      ]) {
        const body = cart(target, { lines: [line(modified.id, 1, { modifications })], more: whole(target) });
        const checkout = await created(place, body);
        assert.equal(checkout.status, 'incomplete');
        const errors = errorsOf(checkout);
        assert.ok(errors.length > 0);
        for (const { code, path, severity } of errors) {
          assert.deepEqual(
            [code, path, severity],
            ['invalid_modifications', '$.line_items[0].dish.modifications', 'recoverable'],
          );
        }
      }
    },
  },
  {
    name: 'what a cart lacks or cannot have is said at its place, and fixed by an update',
    async run(target) {
      const { place, fixture } = target;
      const { dishes } = fixture;
      const shortage: [object, [string, string][]][] = [
        [
          cart(target, { lines: [line(dishes.soldOut.id)], more: whole(target) }),
          [['out_of_stock', '$.line_items[0].dish']],
        ],
        [
          cart(target, { lines: [line(dishes.atOtherHours.id)], more: whole(target) }),
          [['item_unavailable', '$.line_items[0].dish']],
        ],
        [cart(target, { lines: [line(dishes.cheap.id)], more: whole(target) }), [['minimum_order_unmet', '$.totals']]],
        [
          cart(target, { more: { buyer: BUYER, ...delivery(fixture.far) } }),
          [['address_undeliverable', `${METHOD}.destination`]],
        ],
        [
          cart(target, { more: { buyer: BUYER, ...delivery(fixture.apart) } }),
          [['address_undeliverable', `${METHOD}.destination`]],
        ],
        [
          cart(target, { more: { buyer: BUYER, fulfillment: { methods: [{ type: 'delivery' }] } } }),
          [['missing', `${METHOD}.destination`]],
        ],
        [
          cart(target, {
            more: { buyer: { ...BUYER, email: 'nobody', phone_number: '12' }, ...delivery(fixture.near) },
          }),
          [
            ['invalid', '$.buyer.email'],
            ['invalid', '$.buyer.phone_number'],
          ],
        ],
        [
          cart(target, { more: delivery(fixture.near) }),
          [
            ['missing', '$.buyer.first_name'],
            ['missing', '$.buyer.email'],
            ['missing', '$.buyer.phone_number'],
          ],
        ],
      ];
      for (const [body, errors] of shortage) {
        const checkout = await created(place, body);
        assert.equal(checkout.status, 'incomplete');
        hasErrors(checkout, errors);
        const fixed = await place.update(checkout.id, cart(target, { more: whole(target) }));
        assert.equal(fixed.body.status, 'ready_for_complete', fixed.text);
        addsUp(fixed.body);
      }
      const mixed = await created(place, cart(target, { more: whole(target) }));
      const other = await place.update(
        mixed.id,
        cart(target, { lines: [line(dishes.plain.id, 2), line(fixture.foreignDish.id)], more: whole(target) }),
      );
      hasErrors(other.body, [['item_unavailable', '$.line_items[1].dish']]);
    },
  },
];

const FULFILLING: readonly FoodCase[] = [
  {
    name: 'a delivery has its destination, options and price; without a time it is as soon as possible',
    async run(target) {
      const preference = { selected_preference_option_ids: ['leave_at_door'] };
      const checkout = await ready(target, {
        more: delivery({ ...target.fixture.near, ...preference }, { notes: 'Gate 4' }),
      });
      const [method] = checkout.fulfillment.methods;
      assert.deepEqual(
        [method.type, method.selected_option_id, method.options.length, method.notes],
        ['delivery', 'asap', 1, 'Gate 4'],
      );
      assert.equal(method.destination.type, 'delivery_address');
      assert.deepEqual(method.destination.selected_preference_option_ids, ['leave_at_door']);
      assert.ok(method.destination.preference_options.length > 1);
      assert.equal(method.options[0].totals[0].amount, amountOf(checkout, 'fulfillment'));
      assert.ok(
        Date.parse(method.options[0].earliest_fulfillment_time) < Date.parse(method.options[0].latest_fulfillment_time),
      );
    },
  },
  {
    name: 'the address may be named postal_address, and is answered alike',
    async run(target) {
      const { address, geo } = target.fixture.near as { address: object; geo: object };
      const checkout = await ready(target, { more: delivery({ postal_address: address, geo }) });
      const [{ destination }] = checkout.fulfillment.methods;
      assert.deepEqual([destination.postal_address, destination.address], [address, undefined]);
    },
  },
  {
    name: 'a pickup names the location, costs nothing, and charges no tip but says so',
    async run(target) {
      const checkout = await ready(target, { more: { ...PICKUP, tip: { custom_amount: 300 } } });
      const [method] = checkout.fulfillment.methods;
      assert.deepEqual(
        [method.destination.type, method.destination.id],
        ['business_location', target.fixture.locationId],
      );
      assert.deepEqual([amountOf(checkout, 'fulfillment'), amountOf(checkout, 'tip')], [0, 0]);
      assert.ok(
        checkout.messages.some(
          ({ type, path }: { type: string; path: string }) => type === 'warning' && path === '$.tip',
        ),
      );
    },
  },
  {
    name: 'a requested time gets at most six options near it, and the one that fits is chosen',
    async run(target) {
      const { near } = target.fixture;
      const slotTime = target.fixture.slotTime();
      const checkout = await ready(target, { more: delivery(near, { requested_fulfillment_time: slotTime }) });
      const [method] = checkout.fulfillment.methods;
      const chosen = method.options.find(({ id }: { id: string }) => id === method.selected_option_id);
      assert.ok(method.options.length > 1 && method.options.length <= 6);
      const at = Date.parse(slotTime);
      assert.ok(Date.parse(chosen.earliest_fulfillment_time) <= at && at < Date.parse(chosen.latest_fulfillment_time));
      const other = method.options.find(({ id }: { id: string }) => id !== chosen.id);
      const moved = await target.place.update(
        checkout.id,
        cart(target, { more: whole(target, delivery(near, { selected_option_id: other.id })) }),
      );
      assert.equal(moved.body.fulfillment.methods[0].selected_option_id, other.id);
      assert.equal(moved.body.status, 'ready_for_complete', moved.text);
    },
  },
  {
    name: 'a time without a slot, and a location that is closed, are recoverable faults with what there is instead',
    async run(target) {
      const { place, fixture } = target;
      const { near, closed } = fixture;
      const noSlotTime = fixture.noSlotTime();
      const late = await created(
        place,
        cart(target, { more: whole(target, delivery(near, { requested_fulfillment_time: noSlotTime })) }),
      );
      hasErrors(late, [['location_closed', `${METHOD}.requested_fulfillment_time`]]);
      const shut = await created(place, {
        food_establishment: { id: closed.locationId },
        line_items: [line(closed.dish.id, 2)],
        ...whole(target),
      });
      hasErrors(shut, [['location_closed', '$.food_establishment']]);
      for (const checkout of [late, shut]) {
        const [method] = checkout.fulfillment.methods;
        assert.ok(method.options.length > 0);
        assert.equal(method.selected_option_id, undefined);
      }
      const [first] = shut.fulfillment.methods[0].options;
      const scheduled = await place.update(shut.id, {
        line_items: [line(closed.dish.id, 2)],
        ...whole(target, delivery(near, { selected_option_id: first.id })),
      });
      assert.equal(scheduled.body.status, 'ready_for_complete', scheduled.text);
      const gone = await place.update(shut.id, {
        line_items: [line(closed.dish.id, 2)],
        ...whole(target, delivery(near, { selected_option_id: 'gone' })),
      });
      assert.deepEqual(
        errorsOf(gone.body).map(({ code }) => code),
        ['location_closed'],
      );
    },
  },
  {
    name: 'tips are a share of the subtotal or an amount, and a total of their own',
    async run(target) {
      const { place } = target;
      const checkout = await ready(target);
      assert.equal(amountOf(checkout, 'tip'), 0);
      assert.deepEqual(
        checkout.tip.options.map(({ amount }: { amount: number }) => amount),
        [10, 15, 20],
      );
      const subtotal = amountOf(checkout, 'subtotal');
      for (const { id, amount } of checkout.tip.options) {
        const tipped = await place.update(
          checkout.id,
          cart(target, { more: whole(target, { tip: { selected_option_id: id } }) }),
        );
        assert.equal(amountOf(tipped.body, 'tip'), Math.round((subtotal * amount) / 100));
        assert.equal(tipped.body.tip.selected_option_id, id);
        assert.ok(tipped.body.totals.find(({ type }: { type: string }) => type === 'tip').display_text.length > 0);
        addsUp(tipped.body);
      }
      const custom = await place.update(
        checkout.id,
        cart(target, { more: whole(target, { tip: { custom_amount: 777 } }) }),
      );
      assert.equal(amountOf(custom.body, 'tip'), 777);
      const none = await place.update(checkout.id, cart(target, { more: whole(target) }));
      assert.equal(amountOf(none.body, 'tip'), 0);
    },
  },
  {
    name: 'without the extensions of fulfillment and tip neither is shown, and a person finishes',
    async run(target) {
      const { withoutExtensions: buyer } = target;
      const checkout = await created(buyer, cart(target, { more: { tip: { custom_amount: 500 } } }));
      assert.deepEqual(
        [checkout.status, checkout.fulfillment, checkout.tip],
        ['requires_escalation', undefined, undefined],
      );
      assert.equal(amountOf(checkout, 'tip'), 0);
      assert.deepEqual(Object.keys(checkout.ucp.capabilities), ['dev.ucp.food.checkout']);
      assert.match(checkout.continue_url, /^https?:/);
    },
  },
];

const HANDING_OVER: readonly FoodCase[] = [
  {
    name: 'a platform that hands over gets a page on which a person finishes, and completes nothing',
    async run(target) {
      const { handover } = target;
      const checkout = await created(handover, cart(target, { more: delivery(target.fixture.near) }));
      assert.equal(checkout.status, 'requires_escalation');
      assert.deepEqual(
        errorsOf(checkout).map(({ severity }) => severity),
        ['requires_buyer_review'],
      );
      assert.deepEqual(checkout.ucp.payment_handlers, {});
      const page = await fetch(checkout.continue_url);
      assert.equal(page.status, 200);
      const same = await handover.complete(checkout.id, payBy(target.fixture.tokens.good));
      assert.deepEqual(
        [same.status, same.body.status, same.body.order],
        [200, 'requires_escalation', undefined],
        same.text,
      );
    },
  },
  {
    name: 'alcohol is for a person, who is asked for the age',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await created(
        place,
        cart(target, { lines: [line(fixture.dishes.alcoholic.id, 2)], more: whole(target) }),
      );
      assert.equal(checkout.status, 'requires_escalation');
      const [error] = errorsOf(checkout);
      assert.deepEqual(
        [error?.code, error?.severity, error?.path],
        ['age_verification_required', 'requires_buyer_input', '$.line_items[0]'],
      );
      const page = await (await fetch(checkout.continue_url)).text();
      assert.match(page, /name="of_age"/);
      const same = await place.complete(checkout.id, payBy(fixture.tokens.good));
      assert.equal(same.body.status, 'requires_escalation', same.text);
    },
  },
  {
    name: 'alcohol is not left at the door',
    async run(target) {
      const { near, dishes } = target.fixture;
      const preference = { selected_preference_option_ids: ['leave_at_door'] };
      const lines = [line(dishes.alcoholic.id, 2)];
      const { body } = await target.place.create(cart(target, { lines, more: delivery({ ...near, ...preference }) }));
      hasErrors(body, [['invalid', `${METHOD}.destination.selected_preference_option_ids`]]);
    },
  },
  {
    name: 'known allergens are a disclosure at their dish, and of unknown ones nothing is said',
    async run(target) {
      const { labeled, plain } = target.fixture.dishes;
      const checkout = await ready(target, { lines: [line(plain.id, 2), line(labeled.id)] });
      const disclosures = checkout.messages.filter(
        ({ presentation }: { presentation: string }) => presentation === 'disclosure',
      );
      assert.deepEqual(
        disclosures.map(({ path, type }: { path: string; type: string }) => [path, type]),
        [['$.line_items[1]', 'warning']],
      );
      assert.match(disclosures[0].content, labeled.allergen);
    },
  },
];

const COMPLETING: readonly FoodCase[] = [
  {
    name: 'a ready checkout is completed: it is charged what it shows, and has an order with a page',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await ready(target, { more: { tip: { selected_option_id: 'tip_20' } } });
      assert.equal(Object.keys(checkout.ucp.payment_handlers).length, 1);
      const done = await place.complete(checkout.id, payBy(fixture.tokens.good));
      assert.equal(done.body.status, 'completed', done.text);
      addsUp(done.body);
      const { order } = done.body;
      assert.equal(await fixture.chargedFor(order.id), amountOf(checkout, 'total'));
      assert.equal(amountOf(done.body, 'total'), amountOf(checkout, 'total'));
      assert.equal((await fetch(order.tracking_url)).status, 200);
      assert.ok(order.label.length > 0);
      assert.ok(!done.text.includes(fixture.tokens.good));
      assert.equal(done.body.continue_url, undefined);
      const read = await place.read(checkout.id);
      assert.deepEqual([read.body.status, read.body.order], ['completed', order]);
    },
  },
  {
    name: 'a declined payment changes nothing, and another one completes',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await ready(target);
      const declined = await place.complete(checkout.id, payBy(fixture.tokens.declined));
      assert.equal(declined.status, 200, declined.text);
      assert.equal(declined.body.status, 'ready_for_complete');
      hasErrors(declined.body, [['payment_failed', '$.payment']]);
      const done = await place.complete(checkout.id, payBy(fixture.tokens.good));
      assert.equal(done.body.status, 'completed', done.text);
    },
  },
  {
    name: 'completing needs an instrument of the handler, and takes no card numbers',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await ready(target);
      const [instrument] = payBy(fixture.tokens.good).payment.instruments;
      for (const body of [
        {},
        { payment: { instruments: [] } },
        { payment: { instruments: [{ ...instrument, handler_id: 'other' }] } },
        { payment: { instruments: [{ ...instrument, credential: { type: 'card', number: '4242424242424242' } }] } },
        { payment: { instruments: [{ ...instrument, credential: { type: 'token', token: '4242424242424242' } }] } },
      ]) {
        isRefused(await place.complete(checkout.id, body), 400, 'invalid_request');
      }
    },
  },
  {
    name: 'a total that has changed is shown before it is charged; completing again accepts it',
    async run(target) {
      const { place, fixture } = target;
      const { plain } = fixture.dishes;
      const checkout = await ready(target);
      await fixture.setPrice('plain', plain.price + 100);
      const read = await place.read(checkout.id);
      assert.equal(amountOf(read.body, 'total'), amountOf(checkout, 'total'), 'a read never prices again');
      const changed = await place.complete(checkout.id, payBy(fixture.tokens.good));
      await fixture.setPrice('plain', plain.price);
      assert.equal(changed.body.status, 'ready_for_complete', changed.text);
      const warning = changed.body.messages.find(({ code }: { code: string }) => code === 'totals_changed');
      assert.equal(warning.presentation, 'disclosure');
      assert.equal(amountOf(changed.body, 'subtotal'), 2 * (plain.price + 100));
      addsUp(changed.body);
      const back = await place.complete(checkout.id, payBy(fixture.tokens.good));
      assert.equal(back.body.status, 'ready_for_complete', 'the price is what it was again');
      const done = await place.complete(checkout.id, payBy(fixture.tokens.good));
      assert.equal(done.body.status, 'completed', done.text);
      assert.equal(await fixture.chargedFor(done.body.order.id), amountOf(back.body, 'total'));
    },
  },
  {
    name: 'a checkout that ended is touched no more: 409',
    async run(target) {
      const { place, fixture } = target;
      const completed = await ready(target);
      await place.complete(completed.id, payBy(fixture.tokens.good));
      const canceled = await ready(target);
      const gone = await place.cancel(canceled.id);
      assert.deepEqual(
        [gone.status, gone.body.status, gone.body.continue_url],
        [200, 'canceled', undefined],
        gone.text,
      );
      const page = await fetch(canceled.continue_url);
      assert.equal(page.status, 404);
      for (const { id } of [completed, canceled]) {
        isRefused(await place.update(id, cart(target)), 409, 'session_ended');
        isRefused(await place.complete(id, payBy(fixture.tokens.good)), 409, 'session_ended');
        isRefused(await place.cancel(id), 409, 'session_ended');
      }
      assert.equal((await place.read(canceled.id)).body.status, 'canceled');
    },
  },
  {
    name: 'an update replaces what was there, but never the location; an unknown checkout is not_found',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await ready(target, { more: { tip: { custom_amount: 100 } } });
      const other = { ...cart(target), food_establishment: { id: fixture.closed.locationId } };
      isRefused(await place.update(checkout.id, other), 400, 'invalid_request');
      const bare = await place.update(checkout.id, { line_items: [line(fixture.dishes.plain.id, 3)] });
      assert.deepEqual(
        [bare.body.status, bare.body.buyer, bare.body.line_items[0].quantity],
        ['incomplete', undefined, 3],
        bare.text,
      );
      isRefused(await place.read('chk_none'), 404, 'not_found');
      isRefused(await place.update('chk_none', cart(target)), 404, 'not_found');
      isRefused(await target.handover.read(checkout.id), 404, 'not_found');
    },
  },
  {
    name: 'a key replays its answer, is a conflict with another body, and is needed to complete and to cancel',
    async run(target) {
      const { place, fixture } = target;
      const body = cart(target, { more: whole(target) });
      const key = `key-${place.transport}-${Math.random()}`;
      const [first, again] = [await place.create(body, key), await place.create(body, key)];
      assert.equal(again.status, first.status);
      assert.deepEqual(again.body, first.body);
      isRefused(await place.create(cart(target), key), 409, 'idempotency_conflict');
      const { id } = first.body;
      const paid = payBy(fixture.tokens.good);
      isRefused(await place.complete(id, paid, ''), 400, 'idempotency_key_required');
      isRefused(await place.cancel(id, ''), 400, 'idempotency_key_required');
      const done = await place.complete(id, paid, `${key}-c`);
      assert.equal(done.body.status, 'completed', done.text);
      assert.deepEqual((await place.complete(id, paid, `${key}-c`)).body, done.body);
      await fixture.passHours(47);
      assert.deepEqual((await place.create(body, key)).body.id, id);
      await fixture.passHours(2);
      assert.notEqual((await place.create(body, key)).body.id, id);
    },
  },
  {
    name: 'a checkout expires six hours after its last change',
    async run(target) {
      const { place, fixture } = target;
      const checkout = await ready(target);
      await fixture.passHours(5);
      await place.update(checkout.id, cart(target, { more: whole(target) }));
      await fixture.passHours(5);
      assert.equal((await place.read(checkout.id)).body.status, 'ready_for_complete');
      await fixture.passHours(2);
      assert.equal((await place.read(checkout.id)).body.status, 'canceled');
      isRefused(await place.complete(checkout.id, payBy(fixture.tokens.good)), 409, 'session_ended');
    },
  },
];

/** Cases of the draft about food: creating, fulfilling, handing over and completing. */
export const FOOD_CASES: readonly FoodCase[] = [...CREATING, ...FULFILLING, ...HANDING_OVER, ...COMPLETING];
