import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from '../lib/tokens.ts';
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

test('a link ends in 128 bits that depend on the secret, the order and the assignment', () => {
  fc.assert(
    fc.property(links, links, (one, other) => {
      const [a, b] = [one, other].map((link) => Buffer.from(sealDriverLink(tokens, link), 'base64url'));
      const foreign = Buffer.from(
        sealDriverLink(createTokenSealer({ current: 'other', previous: [] }), one),
        'base64url',
      );
      const isSame = one.orderId === other.orderId && one.link === other.link;
      assert.equal(a?.subarray(-16).equals(b?.subarray(-16) ?? Buffer.alloc(0)), isSame);
      assert.equal(openDriverLink(tokens, foreign.toString('base64url')), undefined);
    }),
  );
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
