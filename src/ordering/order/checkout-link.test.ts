import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from '../../platform/lib/tokens.ts';
import {
  checkoutMember,
  checkoutTokenOf,
  isCheckoutAlive,
  nextCheckoutLink,
  openCheckoutToken,
} from './checkout-link.ts';
import type { Order } from './order.ts';

const tokens = createTokenSealer({ current: 'secret', previous: [] });
const orders = fc.record({
  orderId: fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }),
  checkoutKey: fc.string({ minLength: 27, maxLength: 27, unit: 'grapheme-ascii' }),
});
const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');

test('a token opens as its own order and key, and under no other secret', () => {
  const other = createTokenSealer({ current: 'other', previous: [] });
  fc.assert(
    fc.property(orders, (order) => {
      const token = checkoutTokenOf(tokens, order) ?? '';
      assert.deepEqual(openCheckoutToken(tokens, token), { ...order });
      assert.equal(openCheckoutToken(other, token), undefined);
    }),
  );
  assert.equal(checkoutTokenOf(tokens, { orderId: 'ord_1', checkoutKey: null }), undefined);
});

test('a changed, cut or longer token, and one of another kind, opens as none', () => {
  fc.assert(
    fc.property(orders, fc.nat(), fc.integer({ min: 1, max: 255 }), (order, at, flip) => {
      const bytes = Buffer.from(checkoutTokenOf(tokens, order) ?? '', 'base64url');
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
      assert.equal(openCheckoutToken(tokens, bytes.toString('base64url')), undefined);
      assert.equal(openCheckoutToken(tokens, bytes.subarray(1).toString('base64url')), undefined);
      const payload = Buffer.from(order.checkoutKey + order.orderId);
      assert.equal(openCheckoutToken(tokens, tokens.sealLink('driver-link', payload)), undefined);
    }),
  );
});

test('a link is valid for a day after the last storing, keeps its key meanwhile, and ends with the placing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 172_800 }), (seconds) => {
      const first = nextCheckoutLink(undefined, { freshKey: 'a'.repeat(27), now: NOW });
      const later = NOW.add({ seconds });
      const isAlive = seconds < 86_400;
      assert.equal(isCheckoutAlive({ ...first, status: 'unplaced' }, later), isAlive);
      for (const status of ['awaiting_confirmation', 'in_progress', 'completed', 'canceled'] as const)
        assert.equal(isCheckoutAlive({ ...first, status }, later), false);
      const next = nextCheckoutLink(first, { freshKey: 'b'.repeat(27), now: later });
      assert.equal(next.checkoutKey, (isAlive ? 'a' : 'b').repeat(27));
      assert.ok(next.checkoutUntil?.equals(later.add({ hours: 24 })));
    }),
  );
  const placedAtOnce = { checkoutKey: null, checkoutUntil: null, status: 'unplaced' } as const;
  assert.equal(isCheckoutAlive(placedAtOnce, NOW), false);
  const site = { siteUrl: 'https://track.example/orders', keyOf: () => 'key' };
  const order = { ...placedAtOnce, orderId: 'ord_1' } as Order;
  assert.deepEqual(checkoutMember(order, { tokens, site, now: NOW }), {});
  const linked = { ...order, ...nextCheckoutLink(undefined, { freshKey: 'k'.repeat(27), now: NOW }) };
  assert.match(
    checkoutMember(linked, { tokens, site, now: NOW }).checkout_url ?? '',
    /^https:\/\/track\.example\/orders\/checkout\/[\w-]+$/,
  );
  const readOnly = { siteUrl: site.siteUrl };
  assert.deepEqual(checkoutMember(linked, { tokens, site: readOnly, now: NOW }), {}, 'a link that may not act');
});
