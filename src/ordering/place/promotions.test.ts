import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { CARD, givenPaymentMethod } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import {
  AMOUNT_5,
  endPromotions,
  type GivenPromotion,
  givenPromotion,
  usedOf,
} from '../../../test/given/promotions.ts';
import { guessersOf, MAX_WRONG_CODES } from '../../supply/promotions/code-guesses.flow.ts';

const shop = await givenPizzeria();
after(() => shop.close());
afterEach(() => endPromotions(shop.service.deps.db));

const given = (promotion: Partial<GivenPromotion>) =>
  givenPromotion(shop.service.deps.db, { terms: AMOUNT_5, ...promotion });
const used = (promotionId: string) => usedOf(shop.service.deps.db, promotionId);
const order = (changes: object = {}) => shop.place('Margherita', { items: [shop.bigPie()], ...changes });
const quote = (changes: object = {}) => order({ place_order: false, ...changes });
const totalOf = async (changes: object = {}) => (await quote(changes)).body.final_quote.total_with_tip;
const quotedOf = async (orderId: string) =>
  (
    await shop.service.deps.db
      .selectFrom('orders')
      .select('quote')
      .where('orderId', '=', orderId)
      .executeTakeFirstOrThrow()
  ).quote;

test('active promotions of store, account and operator are found; others’, ended and paused ones aren’t', async () => {
  const { db } = shop.service.deps;
  const plain = await totalOf();
  await given({ offeredBy: 'store', ownerId: 'sto_other' });
  await given({ offeredBy: 'account', ownerId: 'acc_other', maxUses: 9 });
  await given({ endsEpochS: 1 });
  await given({ stores: ['sto_other'] });
  const paused = await given({});
  await db.updateTable('promotions').set({ paused: true }).where('promotionId', '=', paused).execute();
  assert.equal(await totalOf(), plain);
  for (const [offeredBy, ownerId] of [
    ['store', shop.storeId],
    ['account', shop.accountId],
    ['operator', ''],
  ] as const) {
    const promotionId = await given({ offeredBy, ownerId, stores: [shop.storeId] });
    const { order_id } = (await quote()).body;
    const { discounts } = await quotedOf(order_id);
    assert.deepEqual(
      discounts?.map((discount) => discount.promotionId),
      [promotionId],
    );
    await endPromotions(db);
  }
});

test("a store's share needs its agreement", async () => {
  const { db } = shop.service.deps;
  const funding = [
    { payer: 'store', percent: 50 },
    { payer: 'operator', percent: 50 },
  ] as const;
  const promotionId = await given({ funding, code: 'SHARED' });
  const before = await quotedOf((await quote({ promotion_codes: ['shared'] })).body.order_id);
  assert.deepEqual(before.rejectedCodes, [{ code: 'SHARED', reason: 'wrong_store' }]);
  const agreement = { promotionId, storeId: shop.storeId, agreedBy: 'Ana', agreedOn: '2026-06-01' };
  await db
    .insertInto('promotionAgreements')
    .values({ ...agreement, recordedAt: '2026-06-01T00:00:00Z' })
    .execute();
  const after = await quotedOf((await quote({ promotion_codes: ['shared'] })).body.order_id);
  assert.deepEqual([after.rejectedCodes, after.discountCents], [undefined, 500]);
});

test('a use is taken when the order is placed, and given back once by a cancelation', async () => {
  for (const limits of [{}, { maxUses: 5 }, { budgetCents: 1000 }, { maxUsesPerUser: 2 }]) {
    const promotionId = await given(limits);
    const placed = await order();
    assert.equal(placed.status, 200, placed.text);
    assert.deepEqual(await used(promotionId), [1, 500, 1], JSON.stringify(limits));
    await shop.step(placed.body.order_id, 'cancel');
    assert.deepEqual(await used(promotionId), [0, 0, 0], JSON.stringify(limits));
    await endPromotions(shop.service.deps.db);
  }
});

test('an order without a charge uses promotions too', async () => {
  for (const limits of [{}, { maxUses: 1 }]) {
    const promotionId = await given(limits);
    const placed = await order({ charge_user: false });
    assert.equal(placed.status, 200, placed.text);
    assert.deepEqual(await used(promotionId), [1, 500, 1]);
    await endPromotions(shop.service.deps.db);
  }
});

test('a declined card gives the use back', async () => {
  const promotionId = await given({ maxUses: 1, code: 'ONCE' });
  const declined = await givenPaymentMethod(shop, '4000000000000002');
  assert.equal((await order({ promotion_codes: ['ONCE'], payment_method_id: declined })).status, 402);
  assert.deepEqual(await used(promotionId), [0, 0, 0]);
  assert.equal((await order({ promotion_codes: ['ONCE'] })).status, 200);
  assert.deepEqual(await used(promotionId), [1, 500, 1]);
});

test('a limit of uses, of a user, of a budget and of a generated code refuses the next order', async (t) => {
  const limits: [string, Partial<GivenPromotion>, string][] = [
    ['uses', { maxUses: 1, code: 'LIMITED' }, 'used_up'],
    ['uses of a user', { maxUsesPerUser: 1, code: 'LIMITED' }, 'already_used'],
    ['budget', { budgetCents: 500, code: 'LIMITED' }, 'used_up'],
    ['budget for a part', { budgetCents: 999, code: 'LIMITED' }, 'used_up'],
    ['first order', { firstOrder: true, code: 'LIMITED' }, 'first_order_only'],
    ['generated code', { generated: ['LIMITED', 'OTHER-1'] }, 'used_up'],
  ];
  for (const [name, promotion, reason] of limits) {
    await t.test(name, async () => {
      const promotionId = await given(promotion);
      const body = { promotion_codes: ['limited'], user_id: `of ${name}`, charge_user: false, payment_method_id: '' };
      const first = await order(body);
      assert.equal(first.status, 200, first.text);
      assert.deepEqual(await used(promotionId), [1, 500, 1]);
      const next = await order(body);
      assert.deepEqual([next.status, next.body.code], [422, 'promotion_not_applied'], next.text);
      assert.deepEqual(next.body.rejected_codes, [{ code: 'LIMITED', reason }]);
      await endPromotions(shop.service.deps.db);
    });
  }
});

test('two unplaced orders with one use: the second returns 409 with its new quote, and can be placed at it', async () => {
  const plain = await totalOf();
  await given({ maxUses: 1 });
  const [one, two] = [(await quote()).body, (await quote()).body];
  assert.equal(one.final_quote.total_with_tip, two.final_quote.total_with_tip);
  assert.equal((await shop.post('/order/finalize', { order_id: one.order_id })).status, 200);
  const refused = await shop.post('/order/finalize', { order_id: two.order_id });
  assert.deepEqual([refused.status, refused.body.code], [409, 'quote_changed'], refused.text);
  assert.equal(refused.body.final_quote.total_with_tip, plain);
  assert.equal((await shop.post('/order/finalize', { order_id: two.order_id })).status, 200);
});

test('20 orders at once take exactly the 7 uses there are; the others are stored and answered 409', async () => {
  const promotionId = await given({ maxUses: 7 });
  const replies = await Promise.all(Array.from({ length: 20 }, () => order()));
  const statuses = replies.map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200, 409]), replies.map(({ text }) => text.slice(0, 200)).join('\n'));
  assert.deepEqual(await used(promotionId), [7, 3500, 7]);
  const changed = replies.find(({ status }) => status === 409);
  assert.equal(changed?.body.code, 'quote_changed');
  assert.equal((await shop.post('/order/finalize', { order_id: changed?.body.order_id })).status, 200);
});

test('codes have a format, and finalizing accepts only the quote’s', async () => {
  const code = 'NICE-10';
  await given({ code });
  for (const promotion_codes of [['abc'], ['A'.repeat(33)], ['NICE_10'], ['É-OFFER'], Array(11).fill(code)]) {
    assert.equal((await quote({ promotion_codes })).body.code, 'invalid_request');
  }
  const { order_id } = (await quote({ promotion_codes: ['nice-10'] })).body;
  for (const promotion_codes of [[], ['OTHER']]) {
    const refused = await shop.post('/order/finalize', { order_id, promotion_codes });
    assert.deepEqual([refused.status, refused.body.errors?.[0].name], [400, 'promotion_codes'], refused.text);
  }
  const placed = await shop.post('/order/finalize', { order_id, promotion_codes: [' Nice – 10 '] });
  assert.equal(placed.status, 200, placed.text);
});

test('an unknown, an ended, a paused and a foreign code are answered alike', async () => {
  const { db } = shop.service.deps;
  await given({ code: 'ENDED', endsEpochS: 1 });
  await given({ code: 'FOREIGN', offeredBy: 'account', ownerId: 'acc_other' });
  const paused = await given({ code: 'PAUSED' });
  await db.updateTable('promotions').set({ paused: true }).where('promotionId', '=', paused).execute();
  const codes = ['UNKNOWN', 'ENDED', 'FOREIGN', 'PAUSED'];
  const refused = await order({
    promotion_codes: codes,
    user_id: 'curious',
    charge_user: false,
    payment_method_id: '',
  });
  assert.equal(refused.status, 422, refused.text);
  assert.deepEqual(
    refused.body.rejected_codes,
    codes.map((code) => ({ code, reason: 'not_valid' })),
  );
});

test('customers of the hosted checkout are limited per order, visitors of a page per address', async () => {
  const visitor = { isSingle: true, name: '203.0.113.9', count: () => {} };
  const caller = { accountId: 'acc', mode: 'live', keyId: 'key_1' } as const;
  const namesOf = (...of: Parameters<typeof guessersOf>) => guessersOf(...of).map(({ name, limit }) => [name, limit]);
  assert.deepEqual(namesOf({ ...caller, keyId: 'checkout:acc' }, undefined, 'ord_1'), [['order ord_1', 10]]);
  assert.deepEqual(namesOf({ ...caller, visitor }, undefined, undefined), [['visitor key_1 203.0.113.9', 10]]);
  const proxy = { ...visitor, isSingle: false };
  assert.deepEqual(namesOf({ ...caller, visitor: proxy }, undefined, undefined), [['key acc key_1', 300]]);
  assert.deepEqual(namesOf(caller, { userHash: 'h' }, 'ord_1'), [
    ['user live h', 10],
    ['order ord_1', 10],
    ['key acc key_1', 300],
  ]);
});

test('ten wrong codes of a user in an hour limit only requests with codes; an hour later they are free again', async () => {
  await given({ code: 'RIGHT' });
  const body = { user_id: 'guesser', payment_method_id: '' };
  for (let nth = 0; nth < MAX_WRONG_CODES; nth += 1) {
    assert.equal((await quote({ ...body, promotion_codes: [`WRONG-${nth}`] })).status, 200);
  }
  const refused = await quote({ ...body, promotion_codes: ['RIGHT'] });
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'], refused.text);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await quote(body)).status, 200);
  assert.equal((await quote({ user_id: 'another', payment_method_id: '', promotion_codes: ['RIGHT'] })).status, 200);
  await shop.advance({ minutes: 61 });
  assert.equal((await quote({ ...body, promotion_codes: ['RIGHT'] })).status, 200);
});

test('a first order is one of the user, and one of the card', async () => {
  const { db } = shop.service.deps;
  const save = async (userId: string) => {
    const card = { payment_method: CARD, user_email: 'u1@example.com', user_id: userId };
    const { payment_method_id } = (await shop.post('/payment/create', card)).body;
    await db
      .updateTable('paymentMethods')
      .set({ fingerprint: 'same card' })
      .where('paymentMethodId', '=', payment_method_id)
      .execute();
    return { user_id: userId, payment_method_id };
  };
  const promotionId = await given({ firstOrder: true, code: 'FIRST' });
  const [one, two] = [
    { ...(await save('one')), promotion_codes: ['FIRST'] },
    { ...(await save('two')), promotion_codes: ['FIRST'] },
  ];
  const quoted = (await quote(two)).body.order_id;
  const first = await order(one);
  assert.equal(first.status, 200, first.text);
  const reasonOf = (reply: Awaited<ReturnType<typeof order>>) => reply.body.rejected_codes?.[0].reason;
  assert.equal(reasonOf(await order(one)), 'first_order_only');
  assert.equal(reasonOf(await order(two)), 'first_order_only');
  assert.equal((await shop.post('/order/finalize', { order_id: quoted })).body.code, 'quote_changed');
  await shop.step(first.body.order_id, 'cancel');
  assert.deepEqual(await used(promotionId), [0, 0, 0]);
  assert.equal((await order(two)).status, 200);
});

test("a limit per user holds by user_id, phone, email and card, except for a shop's own number and email", async () => {
  const promotionId = await given({ maxUsesPerUser: 1, code: 'ONCE' });
  let last = 0;
  const fresh = () => {
    last += 1;
    return { user_email: `guest${last}@gmail.com`, user_phone: 13125550100 + last, user_id: `guest ${last}` };
  };
  const unpaid = { charge_user: false, payment_method_id: '', promotion_codes: ['ONCE'] };
  const reasonOf = ({ body }: Awaited<ReturnType<typeof order>>) => body.rejected_codes?.[0].reason;
  const mine = fresh();
  const placed = await order({ ...unpaid, ...mine, user_id: 'me' });
  assert.equal(placed.status, 200, placed.text);
  for (const same of [
    { user_id: 'me' },
    { user_phone: mine.user_phone },
    { user_email: 'Guest.1+again@GoogleMail.com' },
  ]) {
    const quoted = await quote({ ...unpaid, ...fresh(), ...same });
    assert.equal(quoted.body.final_quote.rejected_codes?.[0].reason, 'already_used', JSON.stringify(same));
    assert.equal(reasonOf(await order({ ...unpaid, ...fresh(), ...same })), 'already_used', JSON.stringify(same));
  }
  // Four other users have ordered with the number and the email, then a fifth.
  const shared = { user_phone: mine.user_phone, user_email: mine.user_email };
  for (let nth = 0; nth < 4; nth += 1) {
    assert.equal(reasonOf(await order({ ...unpaid, ...shared, user_id: 'new' })), 'already_used');
    const plain = await order({ ...unpaid, ...shared, user_id: `staff ${nth}`, promotion_codes: [] });
    assert.equal(plain.status, 200, plain.text);
  }
  // Orders without a user_id are no further users.
  await shop.service.deps.db.updateTable('orders').set({ userId: 'ord_own' }).where('userId', '=', 'staff 3').execute();
  assert.equal(reasonOf(await order({ ...unpaid, ...shared, user_id: 'new' })), 'already_used');
  const more = await order({ ...unpaid, ...shared, user_id: 'staff 4', promotion_codes: [] });
  assert.equal(more.status, 200, more.text);
  const fifth = await order({ ...unpaid, ...shared, user_id: 'new' });
  assert.equal(fifth.status, 200, fifth.text);
  assert.equal(reasonOf(await order({ ...unpaid, ...shared, user_id: 'me' })), 'already_used');
  assert.deepEqual(await used(promotionId), [2, 1000, 2]);
});
