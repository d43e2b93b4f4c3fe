import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../../../test/given/orders.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const OPERATORS = 'GST 12345 6789 RT0001';
const STORES = ['GST 98765 4321 RT0001', 'QST 1234567890 TQ0001'];

test('the registration numbers of who remits an order’s taxes are on its receipts and its statement', async (t) => {
  const app = await givenApp({ env: { TAX_IDS: OPERATORS } });
  t.after(() => app.close());
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { Soda: soda } = await productTokens(app, storeId);
  const card = await givenPaymentMethod(app);
  const store = await givenStoreKey(app, storeId, app.accountId);
  const operator = await givenConsole(app, null);
  const place = async (language: string) => {
    const items = [{ product_id: soda, quantity: 4 }];
    const reply = await app.post('/order/order/v2', orderBody(soda, card, { items, user_language: language }));
    assert.equal(reply.status, 200, reply.text);
    await app.advance({ seconds: 1 });
    const { order_id: orderId } = reply.body;
    const page = await app.get('/tracking/receipt', { tracking_id: orderId });
    const ticket = (document: string) => store.get(`/console/orders/${orderId}/ticket`, { document });
    const [printed, kitchen] = [await ticket('receipt'), await ticket('kitchen')];
    assert.doesNotMatch(kitchen.text, /RT0001/);
    const { messages } = (await app.get('/sandbox/messages', { order_id: orderId })).body;
    const mail = messages.find(({ kind }: { kind: string }) => kind === 'order_confirmation');
    return { page: page.text, mail: mail.text, printed: printed.text };
  };
  const statement = async () => (await store.get('/store/statements', { month: '2026-06' })).body.tax_ids;

  const first = await place('fr');
  assert.match(first.page, new RegExp(`Inscription aux taxes</b> ${OPERATORS}`));
  assert.match(first.mail, new RegExp(`Inscription aux taxes\n  ${OPERATORS}\n`));
  assert.match(first.printed, new RegExp(`Inscription aux taxes\\s: ${OPERATORS}`));
  assert.deepEqual(await statement(), [OPERATORS]);

  const reason = 'registered';
  const terms = await operator.post(`/operator/stores/${storeId}/terms`, { tax: 'store', reason });
  assert.equal(terms.status, 200, terms.text);
  await app.advance({ seconds: 1 });
  assert.doesNotMatch((await place('en')).page, /Tax registration|RT0001/);
  const set = await operator.post(`/operator/stores/${storeId}/switches`, { tax_ids: STORES, reason });
  assert.deepEqual([set.status, set.body.tax_ids], [200, STORES]);
  const second = await place('es');
  assert.match(second.page, new RegExp(`Registro fiscal</b> ${STORES.join(', ')}`));
  assert.match(second.mail, new RegExp(`Registro fiscal\n  ${STORES.join('\n  ')}\n`));
  for (const number of STORES) assert.match(second.printed, new RegExp(`Registro fiscal: ${number}`));
  assert.deepEqual((await statement()).toSorted(), [OPERATORS, ...STORES].toSorted());

  const csv = (await store.get('/store/statements.csv', { month: '2026-06' })).text.trimEnd().split('\r\n');
  const cells = csv.map((line) => /(?:^|,)(?:"([^"]*)"|([^",]*))$/.exec(line)?.slice(1).join(''));
  assert.deepEqual(cells, ['tax_ids', OPERATORS, STORES.join(', '), STORES.join(', ')]);
  const owners = (await operator.get(`/operator/stores/${storeId}/statement`, { month: '2026-06' })).body;
  assert.deepEqual(owners.tax_ids, []);

  const removed = await operator.post(`/operator/stores/${storeId}/switches`, { tax_ids: [], reason });
  assert.deepEqual(removed.body.tax_ids, []);
  assert.deepEqual(await statement(), [OPERATORS]);
});
