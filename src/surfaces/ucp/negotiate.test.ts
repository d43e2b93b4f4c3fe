import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { profileOf } from '../../../test/ucp/platform.ts';
import { negotiate, readProfile } from './negotiate.ts';
import type { OwnCapabilities } from './profile.ts';

const VERSION = '2026-08-25';
const NAMES = ['dev.a', 'dev.b', 'dev.c', 'dev.d'];
const own = (parents: Readonly<Record<string, string | readonly string[]>>): OwnCapabilities =>
  Object.fromEntries(
    NAMES.map((name) => {
      const { [name]: extended } = parents;
      return [
        name,
        { version: VERSION, spec: '', schema: '', ...(extended === undefined ? {} : { extends: extended }) },
      ];
    }),
  );
const platform = (names: readonly string[]) => ({
  capabilities: new Map(names.map((name) => [name, ['2020-01-01', VERSION]])),
});

test('an extension without any parent is removed, and its own extensions too', () => {
  const chain = own({ 'dev.b': 'dev.a', 'dev.c': 'dev.b', 'dev.d': ['dev.a', 'dev.x'] });
  assert.deepEqual([...negotiate(chain, platform(NAMES)).keys()], NAMES);
  assert.deepEqual([...negotiate(chain, platform(['dev.b', 'dev.c', 'dev.d'])).keys()], []);
  assert.deepEqual([...negotiate(chain, platform(['dev.a', 'dev.c'])).keys()], ['dev.a']);
});

test('the remaining extensions are shared, of our version, and have a remaining parent, also in circles', () => {
  const parents = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES));
  fc.assert(
    fc.property(parents, fc.subarray(NAMES), (extended, shared) => {
      const found = negotiate(own(extended), platform(shared));
      for (const [name, version] of found) {
        assert.equal(version, VERSION);
        assert.ok(shared.includes(name));
        assert.ok(extended[name] === undefined || found.has(extended[name]));
      }
      const roots = shared.filter((name) => extended[name] === undefined);
      assert.deepEqual(
        roots.filter((name) => !found.has(name)),
        [],
      );
    }),
    { numRuns: runs(300) },
  );
});

test('a profile is read by the schema of the protocol', () => {
  assert.equal(readProfile(JSON.stringify(profileOf()))?.version, VERSION);
  const key = { kid: 'a', kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
  for (const [keys, isRead] of [
    [[{ ...key, alg: 'ES256', more: 1 }], true],
    [[{ ...key, alg: 'ES384' }], false],
    [[{ kid: 'a', kty: 'OKP', crv: 'Ed25519' }], false],
    [[{ ...key, k: 'secret' }], false],
  ] as const) {
    assert.equal(readProfile(JSON.stringify({ ...profileOf(), keys })) !== undefined, isRead, JSON.stringify(keys));
  }
});
