// covers: src/ordering/place/place-order.flow.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comeAgain } from '../../../test/come-again.ts';
import { CARD } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { AMOUNT_5, givenPromotion, usedOf } from '../../../test/given/promotions.ts';
import { clientOf, type Reply } from '../../../test/harness.ts';

const ORDERS = 1500;
const USES = 1000;
const AT_ONCE = 16;
/** Every tenth order uses a declined card of a user of its own. */
const DECLINED = { ...CARD, card_number: '4000000000000002' };

test('1,000 uses stay 1,000 under 1,500 orders at two nodes, some of them declined', async (t) => {
  const shop = await givenPizzeria();
  t.after(() => shop.close());
  const { db } = shop.service.deps;
  const promotionId = await givenPromotion(db, {
    terms: AMOUNT_5,
    code: 'RACE',
    maxUses: USES,
    budgetCents: USES * 500,
  });
  const clients = [shop, clientOf(await shop.givenNode(), shop.accountId, shop.key)];
  const replies: Reply[] = [];
  const order = async (nth: number): Promise<Reply> => {
    const client = clients[nth % 2] ?? assert.fail();
    const user_id = `declined ${nth}`;
    const card = { payment_method: DECLINED, user_email: 'u@example.com', user_id };
    const payer =
      nth % 10 === 0
        ? { user_id, payment_method_id: (await client.post('/payment/create', card)).body.payment_method_id }
        : {};
    const body = shop.bodyOf('Margherita', { items: [shop.bigPie()], promotion_codes: ['RACE'], ...payer });
    return comeAgain((key) => client.post('/order/order/v2', body, key));
  };
  let next = 0;
  const work = async () => {
    while (next < ORDERS) {
      const nth = next;
      next += 1;
      replies.push(await order(nth));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const codes = Map.groupBy(replies, ({ status, body }) => (status === 200 ? 'placed' : body.code));
  t.diagnostic(JSON.stringify([...codes].map(([code, some]) => [code, some.length])));
  const allowed = ['placed', 'payment_declined', 'promotion_not_applied', 'quote_changed'];
  assert.deepEqual(
    [...codes.keys()].filter((code) => !allowed.includes(code)),
    [],
  );
  let placed = codes.get('placed')?.length ?? 0;
  assert.deepEqual(await usedOf(db, promotionId), [placed, placed * 500, placed]);
  // A use that a decline returned last is left for these.
  for (let nth = 1; (await order(nth)).status === 200; nth += 2) placed += 1;
  assert.equal(placed, USES);
  assert.deepEqual(await usedOf(db, promotionId), [USES, USES * 500, USES]);
});
