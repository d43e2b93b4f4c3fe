import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenOperator, givenStoreKey } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, clientOf, givenApp, type Reply } from '../../../test/harness.ts';
import { issueKey } from '../../access/accounts/issue-key.flow.ts';
import { issueStoreKey } from '../../access/sessions/store-keys.db.ts';

/** Promotions by every door, with roles, consent, changes and bounds. */

let app: App;
let storeId = '';
let otherId = '';
let owner: Client;
let other: Client;
let live: Client;
let operator: Client;
before(async () => {
  app = await givenApp();
  [storeId = '', otherId = ''] = await givenStores(app, [pizzeria(), pizzeria({ external_id: 'other' })]);
  [owner, other] = [await givenConsole(app, storeId), await givenConsole(app, otherId)];
  live = await app.givenClient('live');
  operator = await givenOperator(app);
});
after(() => app.close());

const [STORE, ACCOUNT, OPERATOR] = ['/store/promotions', '/account/promotions', '/operator/promotions'];
const PERCENT = { kind: 'percent', percent: 20 };
const AMOUNT = { kind: 'amount', amount_cents: 500, max_uses: 100 };
const REASON = { reason: 'A test.' };
const answerOf = ({ status, body }: Reply) => [status, body.code];
const faultsIn = ({ body }: Reply) => (body.errors ?? []).map(({ name }: { name: string }) => name);

async function given(client: Client, path: string, body: object, headers = {}) {
  const created = await client.post(path, body, headers);
  assert.equal(created.status, 200, created.text);
  return created.body as { promotion_id: string; state: string; listed: boolean; codes?: string[] };
}
const idsIn = async (client: Client, path: string): Promise<string[]> =>
  (await client.get(path)).body.promotions.map((one: { promotion_id: string }) => one.promotion_id);

test('an owner creates, lists, pauses, resumes and ends a promotion; a repeated step changes nothing', async () => {
  const created = await owner.post(STORE, { ...PERCENT, title: 'Happy hour', hours: 'Mo-Fr 14:00-17:00', max_uses: 5 });
  assert.equal(created.status, 200, created.text);
  const { promotion_id: id, ...shown } = created.body;
  assert.deepEqual(
    { ...shown, hours: shown.hours.Monday },
    {
      offered_by: 'store',
      ...PERCENT,
      funding: [{ payer: 'store', percent: 100 }],
      title: 'Happy hour',
      hours: '02:00PM - 05:00PM',
      max_uses: 5,
      listed: true,
      state: 'active',
      used: 0,
      spent_cents: 0,
      cost: 0,
      sales: 0,
    },
  );
  assert.deepEqual((await owner.get(`${STORE}/${id}`)).body, created.body);
  assert.ok((await idsIn(owner, STORE)).includes(id));
  for (const [step, state] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['end', 'ended'],
  ] as const) {
    for (let n = 0; n < 2; n += 1) assert.equal((await owner.post(`${STORE}/${id}/${step}`, {})).body.state, state);
  }
  for (const step of ['pause', 'resume']) {
    assert.deepEqual(answerOf(await owner.post(`${STORE}/${id}/${step}`, {})), [409, 'transition_not_allowed']);
  }
});

test('another owner’s promotion is not found on any surface', async () => {
  const { promotion_id: id } = await given(await givenStoreKey(app, storeId), STORE, PERCENT);
  for (const [client, path] of [
    [other, STORE],
    [live, ACCOUNT],
    [await app.givenClient('sandbox'), ACCOUNT],
  ] as const) {
    assert.deepEqual(answerOf(await client.get(`${path}/${id}`)), [404, 'not_found']);
    assert.deepEqual(answerOf(await client.post(`${path}/${id}/end`, {})), [404, 'not_found']);
    assert.deepEqual(answerOf(await client.post(`${path}/${id}`, { max_uses: 5 })), [404, 'not_found']);
  }
});

test('a creation that is repeated with its key makes no second promotion, by any door; codes are kept nowhere', async () => {
  const node = await app.givenNode('api');
  const { key } = await issueStoreKey(app.service.deps.db, { storeId, accountId: null }, app.now());
  const headers = { 'idempotency-key': 'lost answer' };
  for (const [client, path, body] of [
    [owner, STORE, PERCENT],
    [live, ACCOUNT, AMOUNT],
    [operator, OPERATOR, { ...AMOUNT, ...REASON }],
  ] as const) {
    const before = (await idsIn(client, path)).length;
    const created = await Promise.all(Array.from({ length: 5 }, () => given(client, path, body, headers)));
    created.push(await given(client, path, body, headers));
    assert.equal(new Set(created.map(({ promotion_id: id }) => id)).size, 1, path);
    assert.equal((await idsIn(client, path)).length, before + 1, path);
    const another = await client.post(path, { ...body, title: 'Another' }, headers);
    assert.deepEqual(answerOf(another), [422, 'idempotency_conflict']);
  }
  const { promotion_id: first } = await given(owner, STORE, PERCENT, headers);
  const elsewhere = clientOf(node, '', key);
  assert.equal((await elsewhere.post(STORE, PERCENT, headers)).body.promotion_id, first, 'of the same store');
  assert.notEqual((await given(other, STORE, PERCENT, headers)).promotion_id, first, 'of another store');
  const twice = { ...AMOUNT, generate: 2, ...REASON };
  const [one, two] = [await given(operator, OPERATOR, twice, headers), await given(operator, OPERATOR, twice, headers)];
  assert.notDeepEqual(one.codes, two.codes);
});

test('a sandbox has promotions of its own', async () => {
  const sandbox = clientOf(
    app.service,
    app.accountId,
    (await issueKey(app.service.deps.db, live.accountId, 'sandbox', app.now())).key,
  );
  const [inLive, inSandbox] = [await given(live, ACCOUNT, AMOUNT), await given(sandbox, ACCOUNT, AMOUNT)];
  assert.deepEqual(answerOf(await sandbox.get(`${ACCOUNT}/${inLive.promotion_id}`)), [404, 'not_found']);
  assert.deepEqual(answerOf(await live.get(`${ACCOUNT}/${inSandbox.promotion_id}`)), [404, 'not_found']);
});

test('one refusal names every wrong field, unknown ids and prices above the menu included', async () => {
  const wrong = await owner.post(STORE, {
    kind: 'item_price',
    price_cents: 251,
    items: { products: ['soda', 'cola'], categories: ['drinks'] },
    funding: [{ payer: 'store', percent: 90 }],
    code: 'COLA',
    starts_at: 4_000_000_020,
    ends_at: 4_000_000_010,
  });
  assert.deepEqual(answerOf(wrong), [400, 'invalid_request']);
  assert.deepEqual(faultsIn(wrong).toSorted(), [
    'code',
    'ends_at',
    'funding',
    'items.categories[0]',
    'items.products[1]',
    'price_cents',
  ]);
  const over = await owner.post(STORE, { ...PERCENT, ends_at: Math.floor(app.now().epochMilliseconds / 1000) });
  assert.deepEqual([over.status, faultsIn(over)], [400, ['ends_at']], over.text);
  const unlimited = await live.post(ACCOUNT, { ...PERCENT, stores: [storeId, 'nowhere'] });
  assert.deepEqual(faultsIn(unlimited).toSorted(), ['max_uses', 'stores[1]']);
  assert.equal(
    (await owner.post(STORE, { kind: 'item_price', price_cents: 250, items: { products: ['soda'] } })).status,
    200,
  );
});

test('an unknown field, also a nested one, is refused by every door, because it may be a misspelled condition', async () => {
  const spend = { kind: 'spend', tiers: [{ minimum_subtotal: 1000, amount_cents: 100, max_use: 1 }] };
  const some = { products: ['soda'] };
  const wrong: [body: object, name: string][] = [
    [{ ...AMOUNT, max_uses_per_users: 1 }, 'max_uses_per_users'],
    [{ ...AMOUNT, MODE: 'pickup' }, 'MODE'],
    [{ ...AMOUNT, items: { ...some, product: ['soda'] } }, 'items.product'],
    [{ ...AMOUNT, items: { except: { ...some, taxclasses: [] } } }, 'items.except.taxclasses'],
    [{ ...AMOUNT, kind: 'buy_get', buy: 1, get: 1, get_items: { ...some, x: null } }, 'get_items.x'],
    [{ ...AMOUNT, ...spend }, 'tiers[0].max_use'],
  ];
  for (const [door, client, more] of [
    [STORE, owner, {}],
    [ACCOUNT, app, {}],
    [OPERATOR, operator, REASON],
  ] as const) {
    const funding = [{ payer: door === STORE ? 'store' : 'account', percent: 100, stores: [] }];
    for (const [body, name] of [...wrong, [{ ...AMOUNT, funding }, 'funding[0].stores'] as const]) {
      const refused = await client.post(door, { ...body, ...more });
      assert.deepEqual(answerOf(refused), [400, 'invalid_request'], refused.text);
      assert.ok(faultsIn(refused).includes(name), refused.text);
    }
    const { promotion_id: id } = await given(client, door, { ...AMOUNT, ...more });
    assert.deepEqual(faultsIn(await client.post(`${door}/${id}`, { max_use: 500, ...more })), ['max_use']);
  }
});

test('a sandbox store accepts its account’s sandbox promotions, and never live ones', async () => {
  const funding = [
    { payer: 'store', percent: 40 },
    { payer: 'account', percent: 60 },
  ];
  const shared = { ...AMOUNT, funding, stores: [storeId] };
  const [sandboxed, real] = [await given(app, ACCOUNT, shared), await given(live, ACCOUNT, shared)];
  const console = await givenConsole(app, storeId, app.accountId);
  const key = await givenStoreKey(app, storeId, app.accountId);
  assert.deepEqual(answerOf(await console.post(`${STORE}/${real.promotion_id}/accept`)), [403, 'live_only']);
  assert.deepEqual(answerOf(await owner.post(`${STORE}/${sandboxed.promotion_id}/accept`)), [404, 'not_found']);
  for (const client of [console, key]) {
    const accepted = await client.post(`${STORE}/${sandboxed.promotion_id}/accept`);
    assert.deepEqual([accepted.status, accepted.body.state], [200, 'active'], accepted.text);
  }
});

test('fields of the operator do not stand in for the limit that an account needs', async () => {
  const { max_uses: _, ...unlimited } = AMOUNT;
  const refused = await live.post(ACCOUNT, { ...unlimited, generate: 5 });
  assert.deepEqual([refused.status, faultsIn(refused)], [400, ['generate']], refused.text);
});

test('a code is of one promotion of its owner that has not ended, in any letter case', async () => {
  const body = { ...AMOUNT, code: 'Welcome5', ends_at: Math.floor(app.now().epochMilliseconds / 1000) + 3600 };
  const { promotion_id: id } = await given(live, ACCOUNT, body);
  assert.equal((await live.get(`${ACCOUNT}/${id}`)).body.code, 'WELCOME5');
  assert.deepEqual(answerOf(await live.post(ACCOUNT, { ...AMOUNT, code: 'WELCOME5' })), [409, 'promotion_exists']);
  await given(owner, STORE, { ...PERCENT, code: 'WELCOME5' });
  const raced = await Promise.all(Array.from({ length: 4 }, () => live.post(ACCOUNT, { ...AMOUNT, code: 'RACE' })));
  assert.deepEqual(raced.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  await app.advance({ hours: 2 });
  assert.equal((await live.get(`${ACCOUNT}/${id}`)).body.state, 'ended');
  await given(live, ACCOUNT, { ...AMOUNT, code: 'WELCOME5' });
});

test('once begun, only an earlier end and higher limits are changed', async () => {
  const nowS = Math.floor(app.now().epochMilliseconds / 1000);
  const begun = await given(owner, STORE, { ...PERCENT, max_uses: 10, ends_at: nowS + 7200 });
  const change = (id: string, body: object) => owner.post(`${STORE}/${id}`, body);
  const changed = await change(begun.promotion_id, { max_uses: 20, ends_at: nowS + 3600 });
  assert.deepEqual([changed.body.max_uses, changed.body.ends_at], [20, nowS + 3600], changed.text);
  const lowered = [{ max_uses: 19 }, { ends_at: nowS + 3601 }, { budget_cents: 500 }, { max_uses_per_user: 3 }];
  for (const body of [...lowered, { percent: 50 }, { ...PERCENT, title: 'Half off' }]) {
    assert.deepEqual(
      answerOf(await change(begun.promotion_id, body)),
      [409, 'transition_not_allowed'],
      JSON.stringify(body),
    );
  }
  assert.deepEqual(faultsIn(await change(begun.promotion_id, { max_uses: 0, ends_at: nowS })), ['max_uses', 'ends_at']);
  assert.equal((await change(begun.promotion_id, changed.body)).status, 200, 'it says what it is');
  const later = await given(owner, STORE, { ...PERCENT, starts_at: nowS + 3600, max_uses: 10 });
  assert.equal(later.state, 'scheduled');
  assert.equal((await change(later.promotion_id, { max_uses: 5, ends_at: nowS + 9000 })).body.max_uses, 5);
  assert.deepEqual(faultsIn(await change(later.promotion_id, { ends_at: nowS + 3600 })), ['ends_at']);
});

test("a store pays a part of others' promotions once it has accepted, or the operator records that it agreed", async () => {
  const funding = [
    { payer: 'store', percent: 50 },
    { payer: 'account', percent: 50 },
  ];
  assert.deepEqual(answerOf(await live.post(ACCOUNT, { ...AMOUNT, funding })), [422, 'agreement_required']);
  const { promotion_id: id, state } = await given(live, ACCOUNT, { ...AMOUNT, funding, stores: [storeId, otherId] });
  assert.equal(state, 'paused');
  assert.deepEqual(answerOf(await live.post(`${ACCOUNT}/${id}/resume`, {})), [422, 'agreement_required']);
  const seen = (await owner.get(`${STORE}/${id}`)).body;
  assert.deepEqual([seen.offered_by, seen.stores, seen.agreements], ['account', [storeId], []]);
  assert.deepEqual(answerOf(await owner.post(`${STORE}/${id}/end`, {})), [404, 'not_found'], 'it is not its own');
  for (let n = 0; n < 2; n += 1) {
    const accepted = await owner.post(`${STORE}/${id}/accept`, {});
    assert.deepEqual([accepted.body.state, accepted.body.agreements?.length], ['active', 1], accepted.text);
  }
  const ofOther = (await other.get(`${STORE}/${id}`)).body;
  assert.deepEqual([ofOther.agreements, ofOther.used, ofOther.sales], [[], undefined, undefined], 'of other stores');
  const { agreements } = (await live.get(`${ACCOUNT}/${id}`)).body;
  assert.deepEqual(
    agreements.map((one: { store_id: string }) => one.store_id),
    [storeId],
  );
  const mine = await given(owner, STORE, PERCENT);
  assert.deepEqual(answerOf(await owner.post(`${STORE}/${mine.promotion_id}/accept`, {})), [
    409,
    'transition_not_allowed',
  ]);
  const notNamed = await given(live, ACCOUNT, { ...AMOUNT, funding, stores: [otherId] });
  assert.deepEqual(answerOf(await owner.post(`${STORE}/${notNamed.promotion_id}/accept`, {})), [404, 'not_found']);

  const agreed = { agreed_by: 'Lee Chen', agreed_on: '2026-06-01' };
  const body = { ...AMOUNT, funding: [{ payer: 'store', percent: 100 }], ...REASON };
  assert.deepEqual(faultsIn(await operator.post(OPERATOR, { ...body, ...agreed })), ['agreed_by']);
  assert.deepEqual(faultsIn(await operator.post(OPERATOR, { ...body, stores: [storeId], agreed_on: 'May' })), [
    'agreed_by',
    'agreed_on',
  ]);
  const recorded = await operator.post(OPERATOR, { ...body, ...agreed, stores: [storeId] });
  assert.deepEqual(
    [recorded.body.state, recorded.body.agreements],
    ['active', [{ store_id: storeId, ...agreed }]],
    recorded.text,
  );
});

test('a promotion says why it is paused, and the operator records an agreement later', async () => {
  const funding = [{ payer: 'store', percent: 100 }];
  const created = await operator.post(OPERATOR, { ...AMOUNT, funding, stores: [storeId], ...REASON });
  const path = `${OPERATOR}/${created.body.promotion_id}`;
  assert.equal(created.body.state, 'paused');
  assert.match(created.body.paused_because, /^No store has agreed .*`agreed_by` and `agreed_on`\.$/);
  const paused = await operator.post(`${path}/pause`, REASON);
  assert.match(paused.body.paused_because, /^No store has agreed .* resume it\.$/);
  assert.deepEqual(faultsIn(await operator.post(path, { agreed_by: 'Lee Chen', ...REASON })), ['agreed_on']);
  const agreed = { agreed_by: 'Lee Chen', agreed_on: '2026-06-01' };
  const recorded = await operator.post(path, { ...agreed, max_uses: 200, ...REASON });
  assert.deepEqual(
    [recorded.body.agreements, recorded.body.max_uses, recorded.body.paused_because],
    [[{ store_id: storeId, ...agreed }], 200, 'Somebody paused it: resume it.'],
    recorded.text,
  );
  const resumed = await operator.post(`${path}/resume`, REASON);
  assert.deepEqual([resumed.body.state, resumed.body.paused_because], ['active', undefined]);
  const own = await given(operator, OPERATOR, { ...AMOUNT, ...REASON });
  assert.deepEqual(faultsIn(await operator.post(`${OPERATOR}/${own.promotion_id}`, { ...agreed, ...REASON })), [
    'agreed_by',
  ]);
});

test('the operator offers every kind, sees all, steps any, and the history says why', async () => {
  const price = { kind: 'item_price', percent: 10, items: { products: ['soda'] }, ...REASON };
  const { promotion_id: id } = await given(operator, OPERATOR, price);
  const generated = await given(operator, OPERATOR, { kind: 'amount', amount_cents: 300, generate: 3, ...REASON });
  assert.equal(new Set(generated.codes).size, 3);
  assert.equal(generated.listed, false, 'each code is for one customer');
  assert.ok(generated.codes?.every((code) => /^[A-HJ-NP-Z2-9]{12}$/.test(code)));
  const again = await operator.get(`${OPERATOR}/${generated.promotion_id}`);
  assert.deepEqual([again.body.codes, again.body.max_uses], [undefined, 3]);
  const raised = await operator.post(`${OPERATOR}/${generated.promotion_id}`, { max_uses: 4, ...REASON });
  assert.deepEqual([raised.status, raised.body.max_uses], [200, 4], raised.text);
  assert.ok(!(await operator.get('/operator/actions')).text.includes(generated.codes?.[0] ?? '?'));
  const ofStore = await given(owner, STORE, PERCENT);
  const list = await operator.get(OPERATOR, { store_id: storeId, open: true });
  const listed = list.body.promotions.map((one: { promotion_id: string }) => one.promotion_id);
  for (const one of [id, ofStore.promotion_id]) assert.ok(listed.includes(one), list.text);
  const path = `${OPERATOR}/${ofStore.promotion_id}`;
  assert.equal((await operator.post(`${path}/pause`, REASON)).body.state, 'paused');
  assert.deepEqual(answerOf(await operator.post(`${path}/pause`, {})), [400, 'invalid_request'], 'without a reason');
  assert.deepEqual(
    answerOf(await operator.post(path, { max_uses: 5, ...REASON })),
    [404, 'not_found'],
    "not the operator's",
  );
  assert.equal((await operator.post(`${path}/end`, REASON)).body.state, 'ended');
  const { actions } = (await operator.get('/operator/actions', { target: ofStore.promotion_id })).body;
  assert.deepEqual(
    actions.map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['promotion.end', REASON],
      ['promotion.pause', REASON],
    ],
  );
  assert.deepEqual(faultsIn(await operator.post(OPERATOR, { ...AMOUNT, code: 'BOTH', generate: 2, ...REASON })), [
    'generate',
  ]);
  const shown = await operator.post(OPERATOR, { ...AMOUNT, generate: 2, listed: true, ...REASON });
  assert.deepEqual([shown.status, faultsIn(shown)], [400, ['listed']]);
});

test('a store has up to 50 unfinished ones, also when created concurrently', async () => {
  const [busyId = ''] = await givenStores(app, [pizzeria({ external_id: 'busy' })]);
  const busy = await givenStoreKey(app, busyId);
  const create = () => busy.post(STORE, PERCENT);
  for (let n = 0; n < 46; n += 1) await create();
  const last = await Promise.all(Array.from({ length: 8 }, create));
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [200, 200, 200, 200, 400, 400, 400, 400]);
  const first = await busy.get(STORE);
  assert.deepEqual([first.body.promotions.length, first.body.next], [50, null]);
  await busy.post(`${STORE}/${first.body.promotions[0].promotion_id}/end`, {});
  assert.equal((await create()).status, 200);
  const { next } = (await busy.get(STORE)).body;
  assert.equal((await busy.get(STORE, { before: next })).body.promotions.length, 1);
  assert.deepEqual(answerOf(await busy.get(STORE, { before: 'x' })), [400, 'invalid_request']);
});

test('texts that a database refuses are refused or read, and no input fails a request', async () => {
  const bad = ['\u0000', '\ud800', 'x'.repeat(5000)];
  const bodies = bad.flatMap((text) => [
    { ...PERCENT, title: text },
    { ...PERCENT, code: `ABCD${text}` },
    { ...PERCENT, items: { products: [text] } },
    { ...PERCENT, items: { categories: [text], except: { products: [text] } } },
    { ...PERCENT, hours: text },
    { ...PERCENT, hours: { [text]: text } },
    { kind: 'buy_get', buy: 1, get: 1, get_items: { products: [text] }, items: { tax_classes: [text] } },
    { ...AMOUNT, stores: [text] },
    { ...AMOUNT, starts_at: 1e308, ends_at: -1e308, max_uses: 1e300 },
    { kind: 'percent', percent: 1e-300 },
    { kind: 'spend', tiers: [{ minimum_subtotal: 1e300, amount_cents: -0.5 }, null, text] },
    { ...PERCENT, funding: [{ payer: text, percent: 1e308 }, null] },
  ]);
  const answers: Reply[] = [];
  for (const [client, path] of [
    [owner, STORE],
    [live, ACCOUNT],
    [operator, OPERATOR],
  ] as const) {
    for (const body of bodies) {
      const reply = await client.post(path, { ...body, ...REASON });
      answers.push(reply);
      if (reply.status === 200) await client.post(`${path}/${reply.body.promotion_id}/end`, REASON);
    }
    const cursor = Buffer.from(JSON.stringify([`${app.now()}`, '\u0000'])).toString('base64url');
    for (const text of ['%00', '%ED%A0%80', 'x'.repeat(200), cursor]) {
      for (const rest of [`/${text}`, `?before=${text}`, `?store_id=${text}`])
        answers.push(await client.get(path + rest));
      answers.push(await client.post(`${path}/${text}/pause`, REASON));
    }
  }
  const failed = answers.filter(({ status }) => status >= 500).map(({ text }) => text);
  assert.deepEqual(failed, []);
});
