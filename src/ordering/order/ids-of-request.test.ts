import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsOfRequest } from './ids-of-request.ts';

const caller = { accountId: 'acc_1' };

test('a request is logged with its account, and with its path’s order before its body’s', () => {
  const request = { caller, params: { order_id: 'ord_path' }, body: { order_id: 'ord_body' } };
  assert.deepEqual(idsOfRequest(request), { accountId: 'acc_1', orderId: 'ord_path' });
  assert.deepEqual(idsOfRequest({ ...request, params: {} }), { accountId: 'acc_1', orderId: 'ord_body' });
});

test('only valid order ids reach the log, and nothing else of a request', () => {
  for (const orderId of ['Zelda Quirk', 'ord_Zelda Quirk', `ord_${'a'.repeat(41)}`, 'ord_a\nord_b', 7, null, ['ord_a']])
    assert.deepEqual(idsOfRequest({ params: { order_id: orderId }, body: { order_id: orderId, name: 'Zelda' } }), {});
  for (const body of [undefined, null, 'ord_a', Buffer.from('ord_a')]) assert.deepEqual(idsOfRequest({ body }), {});
});
