import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShown } from './shown-answer.ts';

const ANSWER =
  '{"order_id":"o1","total":4040,"timestamp":1795152132,"eta":"11:54 PM","items":[{"a":1},{"b":2}],"course":225}\n';

test('of JSON each shown member is compared; ids, moments and positions may differ, and … is anything', () => {
  for (const shown of [
    ANSWER,
    '{"order_id":"<order_id>", "total":4040, …}',
    '{"total":4040,"timestamp":1700000000,"eta":"1:02 AM",\n  "items":[{"a":1},…],"course":3}',
    '{…,"items":[…]}',
    '{"items":[…,{"b":2}]}',
  ])
    assert.ok(isShown(shown, ANSWER), shown);
  for (const shown of [
    ANSWER.replace('4040', '4041'),
    '{"totals":4040}',
    '{"items":[{"a":1}]}',
    '{"items":[{"b":2},…]}',
    '{"items":[…,{"a":1}]}',
    '{"order_id":"o2"}',
    '{"order_id":"o"}',
    `${ANSWER}{}`,
  ])
    assert.equal(isShown(shown, ANSWER), false, shown);
});

test('other text is found in the response in its displayed order', () => {
  const answer = 'HTTP/1.1 200 OK\r\n[ true, 399 ]\nverified order.placed, 1\nverified order.ready, 2\n';
  for (const shown of ['[ true, 399 ]', 'verified order.placed, 1\n…\nverified <name>, 2', '…200 OK…'])
    assert.ok(isShown(shown, answer), shown);
  for (const shown of ['[ true, 398 ]', 'verified order.ready…\nverified order.placed'])
    assert.equal(isShown(shown, answer), false, shown);
});
