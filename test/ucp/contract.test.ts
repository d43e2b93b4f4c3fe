import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { readSearch } from '../../src/surfaces/ucp/locations.ts';
import { businessProfile } from '../../src/surfaces/ucp/profile.ts';
import { ROOT } from '../source-files.ts';
import { contractText, HAS_CONTRACTS, type Json, readContract, SHOPPING_EXAMPLES, shapeOf } from './contract.ts';

const skip = !HAS_CONTRACTS && 'no ../shared/data';

type Example = {
  file: string;
  schema: string;
  def?: string;
  target?: string;
  op: string;
  direction: 'request' | 'response';
};

const check = (ref: string, direction: 'request' | 'response', value: unknown, operation?: string) =>
  Compile(Type.Unsafe(shapeOf(ref, direction, operation))).Errors(value);

test('src/surfaces/ucp/contract.ts equals the output of npm run ucp-contract', { skip }, () => {
  assert.equal(readFileSync(join(ROOT, 'src/surfaces/ucp/contract.ts'), 'utf8'), contractText());
});

test('the examples of the protocol and of its draft are valid, and spoiled ones are not', { skip }, () => {
  const all = readContract('examples/index.json') as unknown as Example[];
  assert.equal(all.length, 39);
  for (const example of all) assert.deepEqual(errorsOf(example), [], example.file);
  const examples = all.filter(({ file }) => /^(location|profile)/.test(file));
  assert.equal(examples.length, 4);
  for (const { file, schema, def, op, direction } of examples) {
    const ref = `${schema}.json#${def === undefined ? '' : `/$defs/${def}`}`;
    const example = readContract(`examples/${file}`);
    assert.deepEqual(check(ref, direction, example, op), [], file);
    const { id: _, ucp: __, ...spoiled } = example;
    const isSpoiled = direction === 'request' ? { ...example, distance: {} } : spoiled;
    assert.notDeepEqual(check(ref, direction, isSpoiled, op), [], file);
  }
});

/** The errors of an example against its schema, or against the member of it that the example is. */
function errorsOf({ file, schema, def, target, op, direction }: Example, folder?: string) {
  const shape = shapeOf(`${schema}.json#${def ? `/$defs/${def}` : ''}`, direction, op);
  // A member by its name, or by its way from the top.
  const names = (target ?? '').split('.').filter((name) => name !== '' && name !== '$');
  const part = names.reduce((whole, name) => (whole.properties as Json)[name] as Json, shape);
  return Compile(Type.Unsafe(part)).Errors(readContract(`examples/${file}`, folder));
}

test('the examples of shopping are valid', { skip }, () => {
  const all = readContract('examples/index.json', SHOPPING_EXAMPLES) as unknown as Example[];
  const described = all.filter(({ schema }) => typeof schema === 'string');
  assert.deepEqual([all.length, described.length], [136, 130]);
  for (const example of described) assert.deepEqual(errorsOf(example, SHOPPING_EXAMPLES), [], example.file);
});

test('our profile is a business profile, and the search example parses', { skip }, () => {
  assert.deepEqual(
    check(
      'profile.json#/$defs/business_schema',
      'response',
      businessProfile({ siteUrl: 'https://a.example', hasSignIn: false }, []),
    ),
    [],
  );
  const request: Json = readContract('examples/location/search.request.json');
  assert.deepEqual(readSearch(structuredClone(request)), request);
});
