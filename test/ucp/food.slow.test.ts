import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { saveBranding } from '../../src/access/accounts/brandings.db.ts';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { runRetention } from '../given/expired-rows.ts';
import { givenChannel, givenOperator, givenStoreKey } from '../given/merchant.ts';
import { givenApp } from '../harness.ts';
import { runs, some } from '../runs.ts';
import { buyerOf, payBy } from './buyer.ts';
import { HAS_CONTRACTS, shapeOf } from './contract.ts';
import { addsUp, FOOD_CASES, type FoodFixture, type FoodTarget } from './food-cases.ts';
import { FOOD, type FoodApp, givenFoodApp, givenFoodFixture, givenFoodTarget } from './given-food.ts';
import { isSignedBy, newKey, profileOf, requestTo, send, signed } from './platform.ts';

let app: FoodApp;
let fixture: FoodFixture;
const targets: Partial<Record<'rest' | 'mcp', FoodTarget>> = {};

before(async () => {
  app = await givenFoodApp();
  fixture = await givenFoodFixture(app);
  for (const transport of ['rest', 'mcp'] as const) targets[transport] = await givenFoodTarget(app, fixture, transport);
});
after(() => app.close());

const targetOf = (transport: 'rest' | 'mcp') => targets[transport] ?? assert.fail('no target');

// Over MCP only the transport is another.
for (const transport of ['rest', 'mcp'] as const) {
  for (const one of transport === 'rest' ? FOOD_CASES : some(FOOD_CASES))
    test(`${transport}: ${one.name}`, () => one.run(targetOf(transport)));
}

type Profile = { keys: Parameters<typeof isSignedBy>[0] };

const near = () => ({
  buyer: { first_name: 'Jane', last_name: 'Doe', email: 'jane.doe@example.com', phone_number: '+14155550199' },
  fulfillment: { methods: [{ type: 'delivery', destination: fixture.near }] },
});
const cartOf = (more: object = near()) => ({
  food_establishment: { id: fixture.locationId },
  line_items: [{ quantity: 2, dish: { id: fixture.dishes.plain.id } }],
  ...more,
});

test('only a platform that is bound and has proven who it is orders', async () => {
  const url = `${app.url}/ucp/draft/checkouts`;
  const { profile, key } = await app.bind('proven');
  const codeOf = async (sent: Parameters<typeof send>[0]) => {
    const { status, body } = await send(sent);
    return [status, body.code ?? body.status];
  };
  const request = (more: Record<string, string> = {}) => requestTo(url, cartOf(), profile, more);
  assert.deepEqual(await codeOf(request()), [401, 'signature_missing']);
  assert.deepEqual(await codeOf(signed(request(), key)), [201, 'ready_for_complete']);
  const forged = signed(request(), { ...newKey('proven'), kid: key.kid });
  assert.deepEqual(await codeOf(forged), [401, 'signature_invalid']);
  const narrow = signed(request({ 'idempotency-key': 'k' }), key);
  assert.deepEqual(await codeOf(narrow), [401, 'signature_missing'], 'the key is not covered');
  const stranger = newKey('stranger');
  const unbound = app.platform.publish('/stranger', profileOf([stranger], ['dev.ucp.food.checkout']));
  assert.deepEqual(await codeOf(signed(requestTo(url, cartOf(), unbound), stranger)), [403, 'profile_not_trusted']);
  const keyed = (apiKey: string, header = 'x-api-key') => codeOf(request({ [header]: apiKey }));
  assert.deepEqual(await keyed(app.key), [201, 'ready_for_complete']);
  assert.deepEqual(await keyed(`Bearer ${app.key}`, 'authorization'), [201, 'ready_for_complete']);
  assert.deepEqual(await keyed('ds_test_none'), [401, 'invalid_api_key']);
  assert.deepEqual(await keyed((await app.givenClient()).key), [403, 'profile_not_trusted']);
  const { db } = app.service.deps;
  const live = await issueKey(db, app.accountId, 'live', app.now());
  assert.deepEqual(await keyed(live.key), [403, 'profile_not_trusted']);
  const reader = await issueKey(db, app.accountId, 'sandbox', app.now(), ['read']);
  assert.deepEqual(await keyed(reader.key), [403, 'scope_not_allowed']);
});

test('the draft has a profile of its own, and the public one names releases only', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects of a profile and fails where it is not there
  const read = async (path: string): Promise<any> => (await fetch(app.url + path)).json();
  const [released, draft] = [await read('/.well-known/ucp'), await read('/ucp/draft/profile')];
  assert.deepEqual(Object.keys(released.ucp.services), ['dev.ucp.common']);
  assert.doesNotMatch(JSON.stringify(released), /food/);
  assert.deepEqual(Object.keys(draft.ucp.services), ['dev.ucp.common', 'dev.ucp.food']);
  assert.deepEqual(draft.keys, released.keys);
  assert.ok(Object.keys(draft.ucp.capabilities).includes('localhost.food.menu'));
  const { ucp } = draft;
  assert.equal(ucp.capabilities['dev.ucp.food.tip'][0].extends, 'dev.ucp.food.checkout');
  assert.equal(Object.values<{ id: string }[]>(ucp.payment_handlers)[0]?.[0]?.id, 'card_token');
  if (!HAS_CONTRACTS) return;
  const shape = shapeOf('profile.json#/$defs/business_schema', 'response');
  assert.deepEqual(Compile(Type.Unsafe(shape)).Errors(draft), []);
});

test('checkouts of every status are valid by the schemas of the draft', {
  skip: !HAS_CONTRACTS && 'no ../shared/data',
}, async () => {
  const { place, handover, withoutExtensions } = targetOf('rest');
  const shape = shapeOf('food/fulfillment.json#/$defs/dev.ucp.food.checkout', 'response');
  const compiled = Compile(Type.Unsafe(shape));
  const modified = {
    quantity: 1,
    dish: { id: fixture.dishes.modified.id, modifications: fixture.dishes.modified.modifications },
  };
  const cart = { ...cartOf(), line_items: [modified, { quantity: 1, dish: { id: fixture.dishes.labeled.id } }] };
  const ready = (await place.create({ ...cart, tip: { selected_option_id: 'tip_10' } })).body;
  const checkouts = [
    ready,
    (await place.create(cartOf({}))).body,
    (await handover.create(cart)).body,
    (await withoutExtensions.create(cartOf({}))).body,
    (await place.create(cartOf({ ...near(), fulfillment: { methods: [{ type: 'pickup' }] } }))).body,
    (await place.complete(ready.id, payBy('tok_declined'))).body,
    (await place.complete(ready.id, payBy('tok_visa'))).body,
    (await place.cancel((await place.create(cartOf())).body.id)).body,
  ];
  assert.deepEqual(
    checkouts.map(({ status }) => status),
    [
      'ready_for_complete',
      'incomplete',
      'requires_escalation',
      'requires_escalation',
      'ready_for_complete',
      'ready_for_complete',
      'completed',
      'canceled',
    ],
  );
  for (const checkout of checkouts) {
    addsUp(checkout);
    assert.deepEqual(compiled.Errors(checkout), [], JSON.stringify(checkout));
  }
});

test('answers about food are signed, replayed ones too', async () => {
  const { keys } = (await (await fetch(`${app.url}/ucp/draft/profile`)).json()) as Profile;
  for (const transport of ['rest', 'mcp'] as const) {
    const { place } = targetOf(transport);
    const created = await place.create(cartOf(), `signed-${transport}`);
    const { id } = created.body;
    const again = await place.create(cartOf(), `signed-${transport}`);
    for (const answer of [created, again, await place.read(id), await place.complete(id, payBy('tok_visa'))]) {
      assert.ok(isSignedBy(keys, answer), answer.text);
    }
  }
});

test('a bank that asks the buyer is for a person: the checkout escalates to its page', async () => {
  const { place } = targetOf('rest');
  const { id } = (await place.create(cartOf())).body;
  const challenged = await place.complete(id, payBy('tok_authentication_required'));
  assert.deepEqual([challenged.status, challenged.body.status], [200, 'requires_escalation'], challenged.text);
  assert.equal(challenged.body.messages[0].code, 'authentication_required');
  assert.equal((await fetch(challenged.body.continue_url)).status, 200);
  assert.equal((await place.cancel(id)).body.status, 'canceled');
});

test('names, contacts and answers of a buyer are forgotten with the order', async () => {
  const { place } = targetOf('rest');
  const { id } = (await place.create(cartOf(), 'forgotten-1')).body;
  const { status, text } = await app.post('/account/forget_user', { user_id: id });
  assert.equal(status, 200, text);
  assert.equal((await place.read(id)).status, 404);
  assert.deepEqual([(await place.create(cartOf(), 'forgotten-1')).body.code], ['answer_forgotten']);
});

test('a buyer whose cart never became an order is forgotten a day after its last change', async () => {
  const { place } = targetOf('rest');
  const { buyer } = near();
  const bare = (await place.create(cartOf({ buyer }))).body;
  const quoted = (await place.create(cartOf())).body;
  await fixture.passHours(23);
  await runRetention(app);
  assert.deepEqual((await place.read(bare.id)).body.buyer, buyer);
  await fixture.passHours(2);
  await runRetention(app);
  assert.deepEqual([(await place.read(bare.id)).status, (await place.read(quoted.id)).status], [404, 200]);
});

test('an option taken off sale by the store is out of stock with its descendants, before and at completion', async () => {
  const { place } = targetOf('rest');
  const { id, modifications } = fixture.dishes.modified;
  const cart = { ...cartOf(), line_items: [{ quantity: 1, dish: { id, modifications } }] };
  const ready = (await place.create(cart)).body;
  assert.equal(ready.status, 'ready_for_complete');
  const key = await givenStoreKey(app, fixture.locationId);
  const { body } = await key.patch('/store/options/margherita/olives', { available: false });
  assert.equal(body.code, undefined);
  const path = '$.line_items[0].dish.modifications';
  const faultsOf = ({ messages }: { messages: { code: string; path: string; content: string }[] }) =>
    messages.map(({ code, path, content }) => [code, path, content]);
  const off = ['out_of_stock', path, 'Off sale at the moment: Olives.'];
  assert.deepEqual(faultsOf((await place.create(cart)).body), [off]);
  assert.deepEqual(faultsOf((await place.complete(ready.id, payBy('tok_visa'))).body), [off]);
  await key.patch('/store/options/margherita/olives', { available: true });
  assert.equal((await place.update(ready.id, cart)).body.status, 'ready_for_complete');
});

test('steps reserved for the buyer are named in the buyer’s language', async () => {
  const { handover, place } = targetOf('rest');
  const asking = (language: string) => ({ ...cartOf(), context: { language } });
  const [review] = (await handover.create(asking('es'))).body.messages;
  assert.deepEqual([review.code, review.content], ['buyer_review_required', 'Revisa tu pedido y págalo.']);
  const { alcoholic } = fixture.dishes;
  const line_items = [{ quantity: 2, dish: { id: alcoholic.id } }];
  const [age] = (await place.create({ ...asking('fr'), line_items })).body.messages;
  assert.deepEqual([age.code, /21 ans/.test(age.content)], ['age_verification_required', true], age.content);
});

test('a platform’s key that is rotated in the middle of a checkout goes on with the next one, and the old one is refused', async () => {
  const first = await app.bind('rotating');
  const next = newKey('rotating-next');
  const withFirst = buyerOf(first);
  const withNext = buyerOf({ ...first, key: next });
  const { id } = (await withFirst.create(cartOf())).body;
  app.platform.publish('/rotating', profileOf([next], FOOD));
  assert.equal((await withNext.update(id, cartOf())).body.status, 'ready_for_complete');
  const refused = await withFirst.complete(id, payBy('tok_visa'), 'rotated');
  assert.deepEqual([refused.status, refused.body.code], [401, 'key_not_found']);
  const operator = await givenOperator(app);
  assert.equal((await operator.post('/operator/ucp/rotate-key', {})).status, 200);
  const keysNow = async () => ((await (await fetch(`${app.url}/ucp/draft/profile`)).json()) as Profile).keys;
  await app.advance({ seconds: 421 });
  const done = await withNext.complete(id, payBy('tok_visa'), 'rotated');
  assert.equal(done.body.status, 'completed', done.text);
  const again = await withNext.complete(id, payBy('tok_visa'), 'rotated');
  assert.deepEqual(again.body, done.body);
  const published = await keysNow();
  assert.equal(published.length, 2);
  for (const answer of [done, again]) assert.ok(isSignedBy(published.slice(-1), answer), 'signed by our new key');
});

test('a platform is bound only to an account that has the URLs of its terms and its privacy policy', async () => {
  const operator = await givenOperator(app);
  const { accountId } = await app.givenClient();
  const bind = (orders: string, profile_url = 'https://agent.example/profile') =>
    operator.post(`/operator/accounts/${accountId}/ucp-platforms`, { profile_url, mode: 'live', orders });
  const set = (urls: object) => saveBranding(app.service.deps.db, accountId, urls, app.now());
  for (const urls of [{}, { termsUrl: 'https://shop.example/terms' }]) {
    await set(urls);
    const { status, body } = await bind('handover');
    assert.deepEqual([status, body.code, body.errors[0].name], [400, 'invalid_request', 'orders']);
  }
  assert.equal((await bind('off')).status, 404, 'a binding ends without them');
  await set({ privacyUrl: 'https://shop.example/privacy' });
  assert.equal((await bind('handover')).status, 200);
});

test('no platform is bound whose profile could not be read', async () => {
  const guarded = await givenApp({ env: { UCP: 'draft' } });
  const operator = await givenOperator(guarded);
  const terms = { termsUrl: 'https://shop.example/terms', privacyUrl: 'https://shop.example/privacy' };
  await saveBranding(guarded.service.deps.db, guarded.accountId, terms, guarded.now());
  for (const profile_url of [
    'http://agent.example/profile',
    'https://127.0.0.1/profile',
    'agent.example',
    'ftp://a.example',
  ]) {
    const bound = { profile_url, mode: 'live', orders: 'handover' };
    const { status, body } = await operator.post(`/operator/accounts/${guarded.accountId}/ucp-platforms`, bound);
    assert.deepEqual([status, body.errors[0].name], [400, 'profile_url'], profile_url);
  }
  await guarded.close();
});

test('a live order is in progress until a store channel has it, and can be canceled until then', async () => {
  const live = await app.givenClient('live');
  const options = await app.bind('live', { mode: 'live', accountId: live.accountId });
  const buyer = buyerOf(options);
  await givenChannel(app, fixture.locationId);
  const { db } = app.service.deps;
  const unconfirmed = async () => {
    const { body, text } = await buyer.create(cartOf());
    assert.equal(body.status, 'ready_for_complete', text);
    const order = await db
      .selectFrom('ucpCheckouts')
      .select('orderId')
      .where('checkoutId', '=', body.id)
      .executeTakeFirstOrThrow();
    // There is no live gateway here; the rest of placing is the order's own flow.
    const placed = { status: 'awaiting_confirmation', placedAt: app.now().toString(), chargeState: 'none' } as const;
    await db
      .updateTable('orders')
      .set(placed)
      .where('orderId', '=', order.orderId ?? '')
      .execute();
    return { id: body.id, orderId: order.orderId ?? '' };
  };
  const first = await unconfirmed();
  const waiting = await buyer.read(first.id);
  assert.deepEqual([waiting.body.status, waiting.body.order], ['complete_in_progress', undefined], waiting.text);
  const same = await buyer.update(first.id, cartOf({}));
  assert.equal(same.body.status, 'complete_in_progress');
  assert.deepEqual(same.body.line_items, waiting.body.line_items);
  assert.ok(same.body.messages.some(({ type }: { type: string }) => type === 'info'));
  await db
    .updateTable('orders')
    .set({ receivedAt: app.now().toString() })
    .where('orderId', '=', first.orderId)
    .execute();
  const done = await buyer.read(first.id);
  assert.deepEqual([done.body.status, done.body.order.id], ['completed', first.orderId]);
  const second = await unconfirmed();
  assert.equal((await buyer.cancel(second.id)).body.status, 'canceled');
});

const WORDS = [
  'line_items',
  'dish',
  'id',
  'quantity',
  'modifications',
  'fulfillment',
  'methods',
  'type',
  'destination',
];
const MORE = ['address', 'postal_address', 'geo', 'tip', 'custom_amount', 'selected_option_id', 'buyer', 'payment'];
const ODD = ['instruments', 'context', 'language', '__proto__', 'selected_preference_option_ids', 'x'];

test('whatever a cart says, it is answered or refused, and never fails', async () => {
  const { place } = targetOf('rest');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constantFrom(null, 'delivery', 'pickup', -1, 1e300)),
      fc.dictionary(fc.constantFrom(...WORDS, ...MORE, ...ODD), tie('tree'), { maxKeys: 4 }),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
  }));
  const { id } = (await place.create(cartOf())).body;
  const changes = fc.dictionary(fc.constantFrom(...WORDS, ...MORE, ...ODD), tree, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), fc.nat({ max: 2 }), async (more, isWhole, nth) => {
      const [line] = cartOf().line_items;
      const dish = { ...line?.dish, ...more };
      const cart = isWhole ? { ...cartOf(), ...more } : { ...cartOf(), line_items: [{ ...line, dish }] };
      const ask = [
        () => place.create(cart),
        () => place.update(id, cart),
        () => place.complete(id, { ...cart, ...more }),
      ];
      const { status, text } = (await ask[nth]?.()) ?? assert.fail();
      assert.ok([200, 201, 400].includes(status), `${status} ${text} ${JSON.stringify(cart)}`);
    }),
    { numRuns: runs(200) },
  );
});
