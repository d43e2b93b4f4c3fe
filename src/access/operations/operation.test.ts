import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkAnswers } from '../../../test/check-answers.ts';
import { givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { type Client, clientOf, givenApp } from '../../../test/harness.ts';
import { createApp } from '../../app/wiring/app.ts';
import { registerRoutes } from '../../app/wiring/routes.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { createMetrics } from '../../platform/lib/metrics.ts';
import { listActions } from '../sessions/actions.db.ts';
import { issueOperatorKey } from '../sessions/sign-in.flow.ts';
import { operation, REASON } from './operation.ts';
import { operationRoutes } from './operation-routes.route.ts';

const NOTE = {
  name: 'changeNote',
  endpoint: 'POST /notes/:note_id',
  summary: 'Change a note',
  description: 'A fake.',
  example: {},
  refuses: ['not_found'],
  params: Type.Object({ note_id: Type.String({ maxLength: 3, description: 'A note.' }) }),
  body: Type.Object({ text: Type.String({ maxLength: 10 }) }),
  operatorFields: Type.Object({ is_pinned: Type.Optional(Type.Boolean()), reason: REASON }),
  answer: Type.Object({ by: Type.String(), note_id: Type.String(), is_pinned: Type.Boolean(), change: Type.Integer() }),
  keys: { isSecret: () => false },
  on: {
    account: { scope: 'order', adds: 'For one account.' },
    store: { ownerOnly: true },
    operator: { role: 'admin', records: ['promotion.change', 'note_id'] },
  },
} as const;

let changes = 0;
const changeNote = operation(NOTE).run((_deps: object, { by, save, params, more }) =>
  save(async () => {
    if (params.note_id === 'no') throw new Refusal('not_found', 'There is no such note.');
    changes += 1;
    return { by: by.surface, note_id: params.note_id, is_pinned: more.is_pinned ?? false, change: changes };
  }),
);

const app = await givenApp();
const { deps } = app.service;
const http = await createApp({ ...deps, metrics: createMetrics() }, (http, deps) => {
  registerRoutes(http, deps);
  operationRoutes(http, deps, ['account', 'store', 'operator'], [changeNote]);
});
checkAnswers(http);

const { operatorId } = await givenOperator(app);
const operatorKey = await issueOperatorKey(deps.db, { operatorId, label: 'test', days: 1 }, app.now());
const storeKey = await givenStoreKey(app, await givenStore(deps.db));
const clients = Object.entries({ account: app.key, store: storeKey.key, operator: operatorKey.key }).map(
  ([surface, key]): [string, Client] => [surface, clientOf({ http } as typeof app.service, '', key)],
);
const SENT = { text: 'Hi', is_pinned: true, reason: 'A test.' };

test('one record answers on every surface, and only an operator sends the fields of operators', async () => {
  for (const [surface, client] of clients) {
    const { status, body } = await client.post(`/${surface}/notes/n1`, SENT);
    const { change: _, ...shown } = body;
    assert.deepEqual([status, shown], [200, { by: surface, note_id: 'n1', is_pinned: surface === 'operator' }]);
  }
  assert.equal((await clients[2]?.[1].post('/operator/notes/n1', { text: 'Hi' }))?.body.errors[0].name, 'reason');
});

test('the record’s limits and errors are those of every surface', async () => {
  for (const [surface, client] of clients) {
    for (const [id, body, code] of [
      ['no', SENT, 'not_found'],
      ['long', SENT, 'invalid_request'],
      ['n1', { ...SENT, text: 'Eleven long' }, 'invalid_request'],
      ['n1', { ...SENT, text: 1 }, 'invalid_request'],
    ] as const)
      assert.equal((await client.post(`/${surface}/notes/${id}`, body)).body.code, code, `${surface} ${id}`);
  }
});

test('a repeated key runs a change once, and an operator’s change is recorded in its transaction', async () => {
  const before = await listActions(deps.db, { target: 'n2', limit: 9 });
  for (const [surface, client] of clients) {
    const change = () => client.post(`/${surface}/notes/n2`, SENT, { 'idempotency-key': 'same' });
    assert.deepEqual((await change()).body, (await change()).body);
  }
  const [entry, ...earlier] = await listActions(deps.db, { target: 'n2', limit: 9 });
  assert.deepEqual([earlier, entry?.action, entry?.details], [before, 'promotion.change', SENT]);
});

test('descriptions, operation IDs and roles follow from the record', () => {
  const { paths } = http.swagger() as { paths: Record<string, { post: { operationId: string; description: string } }> };
  const notes = Object.entries(paths).filter(([path]) => path.endsWith('/notes/{note_id}'));
  assert.deepEqual(
    notes.map(([, { post }]) => `${post.operationId}: ${post.description}`),
    [
      'changeAccountNote: A fake. For one account. Scope: `order`.',
      'changeStoreNote: A fake.',
      'changeNote: A fake. The change is recorded. Role: `admin`.',
    ],
  );
});

/** Faults that the types of a record refuse. They are compiled and never run. */
export const REFUSED_BY_TYPES = [
  // @ts-expect-error The response is another one.
  operation(NOTE).run(async () => ({ by: 1 })),
  // @ts-expect-error The body has no such field.
  operation(NOTE).run(async (_deps: object, { body }) => body.title),
  // @ts-expect-error An account's operation has no store.
  operation({ ...NOTE, on: { account: NOTE.on.account } }).run(async (_deps: object, { by }) => by.merchant),
  // @ts-expect-error An account's key needs a scope.
  operation({ ...NOTE, on: { account: {} } }),
  // @ts-expect-error There is no such error code.
  operation({ ...NOTE, refuses: ['no_such_code'] }),
];
