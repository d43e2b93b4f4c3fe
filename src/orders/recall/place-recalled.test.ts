import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { countStatements } from '../../../test/count-statements.ts';
import { givenPaymentMethod } from '../../../test/given-orders.ts';
import { givenPizzeria, type Pizzeria } from '../../../test/given-pizzeria.ts';
import type { Reply } from '../../../test/harness.ts';
import { setNegativeMarkup } from '../../accounts/budgets/account-limits.db.ts';
import { openProduct } from '../../catalog/catalog-tokens.ts';
import { insertDecline } from '../../payments/declines/declines.db.ts';
import { findAnyOrder } from '../orders.db.ts';
import { insertRecalled } from './insert-recalled.db.ts';

let shop: Pizzeria;
before(async () => {
  shop = await givenPizzeria();
  // The node has the inputs of this order in memory from now on.
  assert.equal((await orderSodas()).status, 200);
});
after(() => shop.close());

const orderSodas = (changes: object = {}, headers: Record<string, string> = {}) =>
  shop.post(
    '/order/order/v2',
    shop.bodyOf('Soda', { items: [{ product_id: shop.tokens.Soda, quantity: 4 }], ...changes }),
    headers,
  );

const db = () => shop.service.deps.db;
const stored = async () => (await sql<{ n: number }>`select count(*) as n from orders`.execute(db())).rows[0]?.n;
const soda = () => sql`store_id = ${shop.storeId} and name = 'Soda'`;

/** Another node changes an input: this node hears nothing of it. The order is then as one whose inputs were all read. */
async function assertNoticed(change: () => Promise<unknown>, undo: () => Promise<unknown>, wanted: [number, string]) {
  assert.equal((await orderSodas()).status, 200);
  const before = await stored();
  await change();
  const reply = await orderSodas();
  await undo();
  assert.deepEqual([[reply.status, reply.body.code], await stored()], [wanted, before]);
  assert.equal((await orderSodas()).status, 200);
}

test('an order of inputs that the node has seen reads none of them before it is stored', async () => {
  const replies: Reply[] = [];
  const { texts } = await countStatements(async () => replies.push(await orderSodas()));
  assert.equal(replies[0]?.status, 200);
  const [, ...writes] = texts;
  assert.deepEqual(
    writes.map((text) => /^(?:with \w+ as (?:materialized )?\()? ?(insert into \w+|select)/.exec(text)?.[1]),
    ['insert into orders', 'insert into sandbox_gateway_charges', 'select'],
  );
});

test('a price that another node changed is the price of the next order, and is charged', async () => {
  const setPrice = (cents: number) => sql`update products set price = ${cents} where ${soda()}`.execute(db());
  const one = await orderSodas();
  await setPrice(350);
  const other = await orderSodas();
  await setPrice(250);
  const subtotals = [one, other].map(({ body }) => body.final_quote.quote.subtotal);
  assert.deepEqual(subtotals, [1000, 1400]);
  const [charge] = await shop.chargesOf(other.body.order_id);
  assert.equal(charge.amount, other.body.final_quote.total_with_tip);
  assert.equal((await orderSodas()).body.final_quote.quote.subtotal, 1000);
});

test('what another node changes of an input refuses the next order, and nothing is stored or charged', async (t) => {
  const set = (what: 'available' | 'removed', value: boolean) => () =>
    sql`update products set ${sql.ref(what)} = ${value} where ${soda()}`.execute(db());
  await t.test('a product is sold no more', () =>
    assertNoticed(set('available', false), set('available', true), [422, 'product_unavailable']),
  );
  await t.test('a product is removed', () =>
    assertNoticed(set('removed', true), set('removed', false), [422, 'product_unavailable']),
  );
  await t.test('stock of a product is counted, and is too little', () =>
    assertNoticed(
      () => sql`update products set qty_available = 1 where ${soda()}`.execute(db()),
      () => sql`update products set qty_available = null where ${soda()}`.execute(db()),
      [422, 'product_unavailable'],
    ),
  );
  await t.test('the category of a product is sold at other hours', () => {
    const setHours = (hours: object[]) => () =>
      sql`update categories set menu_hours = ${JSON.stringify(hours)}::jsonb where store_id = ${shop.storeId}`.execute(
        db(),
      );
    const closed = [[[], [], [], [], [], [], []]];
    return assertNoticed(setHours(closed), setHours([]), [422, 'product_unavailable']);
  });
  await t.test('the card is deleted', () => {
    const setDeleted = (at: string | null) => () =>
      sql`update payment_methods set deleted_at = ${at}::timestamptz where payment_method_id = ${shop.card}`.execute(
        db(),
      );
    return assertNoticed(setDeleted('2026-01-01T00:00:00Z'), setDeleted(null), [404, 'payment_method_not_found']);
  });
  await t.test('the user has too many declined cards', () => {
    const decline = { accountId: shop.accountId, mode: 'sandbox', userId: 'u1', card: undefined, keyId: '' } as const;
    const declineAll = async () => {
      for (let n = 0; n < 20; n += 1) await insertDecline(db(), decline, shop.service.deps.clock.now());
    };
    return assertNoticed(declineAll, () => sql`delete from card_declines`.execute(db()), [429, 'too_many_declines']);
  });
});

test('an account that may sell below the price of the store no longer is refused, and one that may again is not', async () => {
  const below = { items: [{ product_id: shop.tokens.Soda, quantity: 4, product_marked_price: 150 }] };
  const mayBelow = (isAllowed: boolean) => setNegativeMarkup(db(), shop.accountId, isAllowed);
  const place = async () => {
    const { status, body } = await orderSodas({ ...below, email_receipt_specifications: { prices_marked: true } });
    return body.code ?? status;
  };
  await mayBelow(true);
  const codes = [await place(), await place()];
  await mayBelow(false);
  codes.push(await place(), await place());
  await mayBelow(true);
  codes.push(await place());
  await mayBelow(false);
  assert.deepEqual(codes, [200, 200, 'markup_not_allowed', 'markup_not_allowed', 200]);
});

/** An order that could be stored anew under another id, and its inputs as this node has them in memory. */
async function givenRecalled() {
  const { placing, tokens, clock } = shop.service.deps;
  const placed = await findAnyOrder(db(), (await orderSodas()).body.order_id);
  const { accountId, storeId } = shop;
  const productNo = openProduct(tokens, shop.tokens.Soda ?? '')?.productNo ?? assert.fail();
  const caller = { accountId, mode: 'sandbox', keyId: 'key_any' } as const;
  const ids = { storeId, productNos: [productNo], paymentMethodId: shop.card, payingUserId: 'u1' };
  const { seen } = placing.recallInputs({ caller, ...ids, now: clock.now() }) ?? assert.fail();
  const order = { ...(placed ?? assert.fail()), status: 'unplaced', chargeState: 'none', chargeId: null } as const;
  return { order, seen };
}

test('of recalled orders that are stored at once each is judged by its own inputs and its own key', async () => {
  const { order, seen } = await givenRecalled();
  const [read = assert.fail()] = seen.products;
  const given = [
    { order: { ...order, orderId: 'ord_same' }, seen },
    { order: { ...order, orderId: 'ord_other_product' }, seen: { ...seen, products: [{ ...read, version: '0/0' }] } },
    { order: { ...order, orderId: 'ord_other_account' }, seen: { ...seen, allowsNegativeMarkup: true } },
    { order: { ...order, orderId: 'ord_key', idempotencyKey: 'recalled' }, seen },
    { order: { ...order, orderId: 'ord_key_again', idempotencyKey: 'recalled' }, seen },
    { order: { ...order, orderId: 'ord_no_card', request: { ...order.request, paymentMethodId: 'pm_none' } }, seen },
  ];
  const stored = await insertRecalled(db(), given);
  assert.deepEqual([...stored].sort(), ['ord_key', 'ord_same']);
  await sql`delete from orders where order_id in ('ord_key', 'ord_same')`.execute(db());
});

test('a card that this node has saved pays an order that reads nothing first', async () => {
  const card = await givenPaymentMethod(shop);
  const { texts } = await countStatements(() => orderSodas({ payment_method_id: card }));
  assert.ok(!texts.some((text) => text.includes('payment_method_id, store_id, product_nos')), texts.join('\n'));
});

test('storing orders waits for the disk where one of them is live, and leaves the next statement as it was', async () => {
  const { order, seen } = await givenRecalled();
  const sandbox = { order: { ...order, orderId: 'ord_sandbox' }, seen };
  const live = { order: { ...order, orderId: 'ord_live', mode: 'live' as const }, seen };
  /** Whether the commit of the statement waits, and whether the next commit of the connection does. */
  const settingsOf = (given: (typeof sandbox | typeof live)[]) =>
    db()
      .connection()
      .execute(async (one) => {
        const read = async (on: typeof one) =>
          (await sql<{ is: string }>`select current_setting('synchronous_commit') as is`.execute(on)).rows[0]?.is;
        // The server of the tests waits for no commit.
        await sql`set synchronous_commit = on`.execute(one);
        const ofCommit = await one.transaction().execute(async (tx) => {
          await insertRecalled(tx, given);
          return read(tx);
        });
        const ofNext = await read(one);
        await sql`reset synchronous_commit`.execute(one);
        return [ofCommit, ofNext];
      });
  assert.deepEqual(await settingsOf([sandbox]), ['off', 'on']);
  assert.deepEqual(await settingsOf([{ ...sandbox, order: { ...sandbox.order, orderId: 'ord_beside' } }, live]), [
    'on',
    'on',
  ]);
  await sql`delete from orders where order_id in ('ord_sandbox', 'ord_beside')`.execute(db());
});
