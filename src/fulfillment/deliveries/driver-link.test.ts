import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import { driverLinkOf, isLinkAlive, openDriverLink, sealDriverLink } from './driver-link.ts';

const tokens = createTokenSealer({ current: 'secret', previous: [] });
const links = fc
  .tuple(fc.string({ minLength: 1, maxLength: 64 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }))
  .map(([orderId, link]) => ({ orderId, link }));

test('a link names its order and its assignment, and is the same each time', () => {
  fc.assert(
    fc.property(links, (link) => {
      const token = sealDriverLink(tokens, link);
      assert.deepEqual(openDriverLink(tokens, token), link);
      assert.equal(sealDriverLink(tokens, link), token);
    }),
  );
  const url = driverLinkOf({ orderId: 'ord_1', driverLink: 2 }, { tokens, baseUrl: 'https://example.com/food' });
  const [, token = ''] = /^https:\/\/example\.com\/food\/driver\/([\w-]+)$/.exec(url) ?? [];
  assert.deepEqual(openDriverLink(tokens, token), { orderId: 'ord_1', link: 2 });
});

test('nothing in a link is readable, and every bit of it depends on the secret, the order and the assignment', () => {
  const other = createTokenSealer({ current: 'other', previous: [] });
  fc.assert(
    fc.property(links, links, (one, two) => {
      const [a, b] = [one, two].map((link) => sealDriverLink(tokens, link));
      assert.equal(a === b, one.orderId === two.orderId && one.link === two.link);
      assert.equal(openDriverLink(tokens, sealDriverLink(other, one)), undefined);
    }),
  );
  const orderId = 'ord_i51EPLVCwpjbBxIZm0rSDl5r';
  const linkBytes = [1, 2].map((link) => Buffer.from(sealDriverLink(tokens, { orderId, link }), 'base64url'));
  for (let from = 0; from + 4 <= orderId.length; from += 1) {
    for (const bytes of linkBytes) assert.ok(!bytes.includes(orderId.slice(from, from + 4)));
  }
  const shared = [...(linkBytes[0] ?? [])].filter((byte, at) => byte === linkBytes[1]?.[at]);
  assert.ok(shared.length < 8, 'two assignments of one order share no part of their links');
});

test('a token of another kind, a cut one and no token at all open as no link', () => {
  const token = sealDriverLink(tokens, { orderId: 'ord_1', link: 1 });
  for (const wrong of [
    '',
    'none',
    token.slice(1),
    token.slice(0, -2),
    `${token}A`,
    'ü',
    tokens.seal('driver-link', Buffer.from('ord_1')),
  ]) {
    assert.equal(openDriverLink(tokens, wrong), undefined);
  }
});

test('a link works from its own assignment to the next one or the end of the order', () => {
  const order = { status: 'in_progress', driverLink: 2, driverStage: 'assigned' } as const;
  assert.deepEqual(
    [
      isLinkAlive(order, 2),
      isLinkAlive(order, 1),
      isLinkAlive(order, 3),
      isLinkAlive({ ...order, driverStage: 'none' }, 2),
      isLinkAlive({ ...order, status: 'completed' }, 2),
      isLinkAlive({ ...order, status: 'canceled' }, 2),
    ],
    [true, false, false, false, false, false],
  );
});
