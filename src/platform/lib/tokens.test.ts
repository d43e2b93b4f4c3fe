import assert from 'node:assert/strict';
import { createCipheriv, createHmac, type Hmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from './tokens.ts';

const sealerOf = (current: string, ...previous: string[]) => createTokenSealer({ current, previous });
const bytes = fc.uint8Array({ minLength: 1, maxLength: 150 });
const secrets = fc.oneof(fc.string(), fc.string({ minLength: 60, maxLength: 200, unit: 'binary' }));

test('a token is the payload and the first eight bytes of the HMAC-SHA-256 of its kind and its payload, for ever', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.array(fc.tuple(fc.string({ unit: 'binary' }), bytes), { maxLength: 5 }),
      (secret, tokens) => {
        const sealer = sealerOf(secret);
        for (const [kind, payload] of tokens) {
          const mac = createHmac('sha256', secret).update(kind).update(payload).digest().subarray(0, 8);
          assert.equal(sealer.seal(kind, payload), Buffer.concat([payload, mac]).toString('base64url'));
          assert.deepEqual(sealer.open(kind, sealer.seal(kind, payload)), Buffer.from(payload));
        }
      },
    ),
  );
});

test('a link is encrypted with SIV, is the same each time, and opens only as its own kind', () => {
  fc.assert(
    fc.property(secrets, fc.string({ unit: 'binary' }), bytes, (secret, kind, payload) => {
      const sealer = sealerOf(secret);
      const expectedHmac = (...parts: (string | Uint8Array)[]) =>
        parts.reduce<Hmac>((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest();
      const mac = expectedHmac(kind, payload).subarray(0, 16);
      const cipher = createCipheriv('aes-256-ctr', expectedHmac('encrypt ', kind), mac);
      const link = sealer.sealLink(kind, payload);
      assert.equal(link, Buffer.concat([mac, cipher.update(payload), cipher.final()]).toString('base64url'));
      assert.equal(sealer.sealLink(kind, payload), link);
      assert.deepEqual(sealer.openLink(kind, link), Buffer.from(payload));
      assert.equal(sealer.openLink(`${kind}x`, link), undefined);
      assert.equal(sealer.openLink(kind, sealer.seal(kind, payload)), undefined);
    }),
  );
});

test('a link with any byte changed does not open, and nothing of its payload can be read in it', () => {
  const sealer = sealerOf('secret');
  const payload = Buffer.from('ord_0123456789abcdefghijklmn');
  const sealed = Buffer.from(sealer.sealLink('driver-link', payload), 'base64url');
  for (let from = 0; from + 4 <= payload.length; from += 1)
    assert.ok(!sealed.includes(payload.subarray(from, from + 4)));
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.equal(sealer.openLink('driver-link', changed.toString('base64url')), undefined);
  }
});

test('a signature is 128 bits in 22 letters, bound to its kind, payload and secret', () => {
  fc.assert(
    fc.property(secrets, fc.string({ unit: 'binary' }), bytes, (secret, kind, payload) => {
      const sealer = sealerOf(secret);
      const signature = sealer.sign(kind, payload);
      const mac = createHmac('sha256', secret).update(kind).update(payload).digest().subarray(0, 16);
      assert.equal(signature, mac.toString('base64url'));
      assert.equal(signature.length, 22);
      assert.ok(sealer.isSignature(kind, payload, signature));
      assert.ok(!sealer.isSignature(`${kind}x`, payload, signature));
      assert.ok(!sealer.isSignature(kind, Buffer.concat([payload, payload]), signature));
      assert.ok(!sealerOf(`${secret}x`).isSignature(kind, payload, signature));
      assert.ok(sealerOf(`${secret}x`, secret).isSignature(kind, payload, signature), 'of a predecessor');
    }),
  );
  const sealer = sealerOf('secret');
  const signature = sealer.sign('kind', Buffer.from('one'));
  for (const at of Buffer.alloc(16).keys()) {
    const changed = Buffer.from(signature, 'base64url');
    changed[at] = (changed[at] as number) ^ 1;
    assert.ok(!sealer.isSignature('kind', Buffer.from('one'), changed.toString('base64url')));
  }
  for (const wrong of [
    '',
    'A',
    `${signature}=`,
    `${signature}AA`,
    signature.slice(0, -1),
    'ü'.repeat(22),
    'A'.repeat(5000),
  ]) {
    assert.ok(!sealer.isSignature('kind', Buffer.from('one'), wrong), wrong);
  }
});

test('an oversized payload or kind is sealed too, and doesn’t affect the next token', () => {
  const sealer = sealerOf('secret');
  const before = sealer.seal('product', Buffer.from('one'));
  assert.notEqual(sealer.seal('k'.repeat(5000), Buffer.alloc(5000)), sealer.seal('k'.repeat(5000), Buffer.alloc(5001)));
  assert.equal(sealer.seal('product', Buffer.from('one')), before);
});

test('a token with any byte changed, of another kind or of another secret does not open', () => {
  const sealer = sealerOf('secret');
  const token = sealer.seal('product', Buffer.from('sixteen bytes ok'));
  assert.ok(sealer.open('product', token));
  assert.equal(sealer.open('category', token), undefined);
  assert.equal(sealerOf('other').open('product', token), undefined);
  const sealed = Buffer.from(token, 'base64url');
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    assert.equal(sealer.open('product', changed.toString('base64url')), undefined);
  }
  for (const wrong of ['', 'A', `${token}=`, `${token} `, token.slice(0, -1), token.repeat(20)]) {
    assert.equal(sealer.open('product', wrong), undefined);
  }
});

test('tokens of the previous secret open, new ones use the new secret, and other secrets’ tokens don’t open', () => {
  fc.assert(
    fc.property(fc.uniqueArray(secrets, { minLength: 4, maxLength: 4 }), bytes, ([a, b, c, d], payload) => {
      // HMAC pads short keys with zeros, so keys that differ only in trailing zeros are equal.
      fc.pre(new Set([a, b, c, d].map((secret) => secret?.replace(/\0+$/, ''))).size === 4);
      const sealer = sealerOf(c ?? '', b ?? '', a ?? '');
      for (const [seal, open] of [
        ['seal', 'open'],
        ['sealLink', 'openLink'],
      ] as const) {
        assert.equal(sealer[seal]('kind', payload), sealerOf(c ?? '')[seal]('kind', payload));
        for (const known of [a, b, c]) {
          const token = sealerOf(known ?? '')[seal]('kind', payload);
          assert.deepEqual(sealer[open]('kind', token), Buffer.from(payload));
          assert.equal(sealer[open]('other kind', token), undefined);
        }
        assert.equal(sealer[open]('kind', sealerOf(d ?? '')[seal]('kind', payload)), undefined);
      }
    }),
  );
});
