import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { writeCursor } from '../../platform/http/page-cursor.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { CURSOR, cursorPosition, DOOR_NAMES, defineTool, positionCursor, READ_ONLY } from './tool.ts';

const QUERY = { query: 'soup', near: { latitude: 1, longitude: 2 } };

test('a tool’s cursor names the page and its position, and other text is no cursor', () => {
  const position = { page: 100_001, skipped: 12 };
  assert.deepEqual(cursorPosition(positionCursor(position, QUERY), QUERY), position);
  assert.deepEqual(cursorPosition(undefined, QUERY), { page: 0, skipped: 0 });
  const longest = positionCursor({ page: 9_999_999_999, skipped: 999_999 }, QUERY);
  assert.ok(Value.Check(CURSOR, longest));
  for (const forged of [[], [1], [1, 2, 3], ['1', 2], [-1, 0], [1, 1_000_000], [10_000_000_000, 0]])
    assert.throws(() => cursorPosition(writeCursor(...forged), QUERY), { code: 'invalid_request' }, `${forged}`);
});

test('a cursor belongs to its query, with parameters in any order', () => {
  const cursor = positionCursor({ page: 1, skipped: 0 }, QUERY);
  const { near, query } = QUERY;
  const turned = { near: { longitude: near.longitude, latitude: near.latitude }, query, pickup: undefined };
  assert.deepEqual(cursorPosition(cursor, turned), { page: 1, skipped: 0 });
  for (const other of [{ query, near: { ...near, latitude: 2 } }, { query }, { ...QUERY, pickup: false }, {}])
    assert.throws(() => cursorPosition(cursor, other), { code: 'invalid_request' }, JSON.stringify(other));
});

test('an error of a tool names its own arguments in each of its words, whatever the endpoint calls them', async () => {
  const input = Object.fromEntries(Object.keys(DOOR_NAMES).map((name) => [name, Type.Optional(Type.Number())]));
  for (const [endpoints, own] of Object.entries(DOOR_NAMES)) {
    const refuse = async () => Promise.reject(invalidField('body', endpoints, 'is in the sea'));
    const tool = defineTool({
      name: 't',
      description: '',
      annotations: READ_ONLY,
      input,
      names: DOOR_NAMES,
      run: refuse,
    });
    await assert.rejects(tool.run({} as never, { [own]: 1 }), {
      message: `${own} is in the sea.`,
      extras: { errors: [{ in: 'body', name: own, message: 'is in the sea' }] },
    });
  }
});
