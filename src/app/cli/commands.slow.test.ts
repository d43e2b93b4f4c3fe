import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import manifest from '../../../package.json' with { type: 'json' };
import { givenDatabase, runCommand, runJson, startCommand } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { NICENESS } from './lower-priority.ts';

const NO_STORE = 'f'.repeat(24);
const STORE = {
  external_id: 'one',
  name: 'Store One',
  type: 'restaurant',
  address: { street_addr: '120 5th Ave', city: 'New York', state: 'NY', zipcode: '10011', country: 'US' },
  latitude: 40.7383,
  longitude: -73.9927,
  online_ordering: true,
  categories: [{ id: 'c', name: 'C', products: [{ id: 'p', name: 'P', price: 100 }] }],
};

const host = givenCommandHost();
after(() => host.close());

test('--version names the version of the package and the commit', async () => {
  const { version } = manifest;
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  for (const option of ['--version', '-V']) {
    const { status, stdout } = await (option === '-V' ? host.runCommand : runCommand)([option], {});
    assert.deepEqual([status, stdout], [0, `${version} (${head.slice(0, 12)})\n`]);
  }
});

test('--help explains the program and a command', async () => {
  const { status, stdout } = await host.runCommand(['keys', 'create', '--help'], {});
  assert.deepEqual([status, /Usage: doorstep keys create.*--json/s.test(stdout)], [0, true]);
  assert.match((await host.runCommand(['--help'], {})).stdout, /^ {2}serve /m);
});

test('misuse exits with status 2 and one message or one {error}', async () => {
  const misuses = [
    ['stores', 'lst'],
    ['keys', 'create'],
    ['accounts', 'create', ' '],
    ['accounts', 'set', 'any', '--sms', '-1'],
    ['serve', '--role', 'boss'],
    ['serve', '--workers', '0'],
    ['stores', 'set', 'any', '--courier', 'Pigeons!'],
    ['stores', 'terms', 'any', '--commission', '100.5'],
    ['stores', 'terms', 'any', '--per-order-cents', '-1'],
    ['stores', 'terms', 'any', '--tip', 'nobody'],
    ['statements', '--month', '2026-13'],
    ['statements', 'close'],
    ['statements', 'close', '--month', '2026-06'],
    ['stores', 'terms', 'any', '--tip', 'store'],
    ['webhooks', 'rotate'],
    ['webhooks', 'rotate', '--account', 'any', '--mode', 'live', '--overlap-hours', '721'],
    ['webhooks', 'rotate', '--store', 'any', '--mode', 'live'],
    ['--nope'],
  ];
  for (const args of misuses) {
    const { status, stdout, stderr } = await host.runCommand(args, {});
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^[^\n]+\n$/);
  }
  assert.equal((await host.runCommand(['accounts'], {})).status, 2);
  const { status, body } = await host.runJson(['keys', 'create'], {});
  assert.deepEqual([status, body], [2, { error: "required option '--account <account_id>' not specified" }]);
});

test('wrong settings are all named at once, none with its value, and stop every command with 78', async () => {
  const env = { PORT: 'eighty', LOG_LEVEL: 'chatty', DATABASE_URL: 'mysql://user:hunter2@host/db' };
  for (const args of [['serve'], ['accounts', 'list']]) {
    const { status, stdout, stderr } = await host.runCommand(args, env);
    assert.deepEqual([status, stdout], [78, '']);
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL'])
      assert.match(stderr, new RegExp(`^${name} must be `, 'm'));
    assert.doesNotMatch(stderr, /eighty|chatty|hunter2/);
  }
});

test('an unreachable database gets one error message without its password', async () => {
  for (const url of ['postgres://u:hunter2@127.0.0.1:1/d', 'postgres://u:hunter2@nowhere.invalid/d']) {
    const { status, stderr } = await host.runCommand(['keys', 'list'], { DATABASE_URL: url });
    assert.equal(status, 1);
    assert.match(stderr, /^The database of DATABASE_URL [^\n]+\.\n$/);
    assert.doesNotMatch(stderr, /hunter2/);
  }
});

test('commands on a database', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);

  await t.test('migrate applies each missing migration once', async () => {
    const first = await host.runJson(['migrate'], env);
    assert.equal(first.body.applied[0], '0001-baseline.sql');
    assert.deepEqual((await host.runJson(['migrate'], env)).body, { applied: [], newer: [] });
  });

  await t.test('an account, its keys, and a revoked one', async () => {
    const account = (await host.runJson(['accounts', 'create', ' My Shop '], env)).body;
    assert.deepEqual(Object.keys(account), ['account_id', 'name']);
    assert.equal(account.name, 'My Shop');
    const sandbox = (await host.runJson(['keys', 'create', '--account', account.account_id], env)).body;
    const live = (await host.runJson(['keys', 'create', '--live', '--account', account.account_id], env)).body;
    assert.deepEqual(Object.keys(sandbox), ['key_id', 'key', 'mode']);
    assert.match(sandbox.key, /^ds_test_[\w-]{27,}$/);
    assert.match(live.key, /^ds_live_[\w-]{27,}$/);
    assert.deepEqual([sandbox.mode, live.mode], ['sandbox', 'live']);
    const revoked = await host.runJson(['keys', 'revoke', live.key_id], env);
    assert.deepEqual(revoked, { status: 0, body: { key_id: live.key_id, revoked: true } });
    const listed = await host.runCommand(['keys', 'list', '--json', '--account', account.account_id], env);
    const { keys } = JSON.parse(listed.stdout);
    assert.deepEqual(
      keys.map((key: { revoked_at: unknown }) => key.revoked_at !== null),
      [false, true],
    );
    assert.deepEqual(keys[0].scopes, ['read', 'order', 'webhooks']);
    const some = ['keys', 'create', '--account', account.account_id, '--scopes'];
    assert.deepEqual((await host.runJson([...some, 'order, read'], env)).body.scopes, ['read', 'order']);
    for (const wrong of ['', 'write', 'read,,order'])
      assert.equal((await host.runJson([...some, wrong], env)).status, 2);
    assert.ok(!listed.stdout.includes(sandbox.key), 'a key is shown once');
    const page = ['keys', 'create', '--account', account.account_id, '--publishable'];
    const published = await host.runJson([...page, '--live', '--origin', 'https://shop.example'], env);
    assert.match(published.body.key, /^ds_pub_[\w-]{27,}$/);
    assert.deepEqual(published.body.origins, ['https://shop.example']);
    assert.match((await host.runJson(page, env)).body.key, /^ds_pub_test_/);
    for (const wrong of [['--live'], ['--origin', 'http://shop.example'], ['--scopes', 'read']])
      assert.equal((await host.runJson([...page, ...wrong], env)).status, 2);
    const { accounts } = (await host.runJson(['accounts', 'list'], env)).body;
    assert.deepEqual(
      accounts.map((each: { account_id: string; name: string }) => [each.account_id, each.name]),
      [[account.account_id, 'My Shop']],
    );
  });

  await t.test("a command's values have the limits of its endpoint, and the refusal names the field", async () => {
    const { account_id } = (await host.runJson(['accounts', 'create', 'Bounded'], env)).body;
    const key = ['keys', 'create', '--account', account_id, '--publishable'];
    const origins = Array.from({ length: 11 }, (_, n) => ['--origin', `https://shop${n}.example`]).flat();
    const long = 'x'.repeat(201);
    const refused: [string[], RegExp][] = [
      [[...key, ...origins], /^origins must have at most 10 items/],
      [[...key, '--origin', 'https://*.example'], /^origins\[0\] must be one origin/],
      [['stores', 'agreement', NO_STORE, '--signed-on', '2026-11-01', '--by', long], /^by must have at most 200/],
      [['stores', 'set', NO_STORE, '--tax-ids', long], /^tax_ids\[0\] must have at most 60/],
      [['stores', 'set', NO_STORE, '--scale-label', '2IIIIIC'], /^scale_label\[0\] must be a pattern of 8 to 14/],
      [['branding', 'set', '--account', account_id, '--shop', 'off', '--shop-near', long], /^shop_near must have/],
      [['stores', 'delist', NO_STORE, '--reason', 'x'.repeat(501)], /^reason must have at most 500/],
      [['stores', 'list', '--search', long], /^search must have at most 200/],
    ];
    for (const [args, sentence] of refused) {
      const { status, body } = await host.runJson(args, env);
      assert.equal(status, 2, args.join(' '));
      assert.match(body.error, sentence);
    }
  });

  await t.test('the secret of tokens rotates where the database keeps it', async () => {
    const rotate = (...more: string[]) => host.runJson(['tokens', 'rotate', ...more], env);
    const rotated = { rotated: true, is_stored: true };
    assert.deepEqual(await rotate(), { status: 0, body: { ...rotated, previous_kept: true } });
    const again = await rotate();
    assert.equal(again.status, 1);
    assert.match(again.body.error, /^The previous secret is still accepted\. /);
    assert.match((await host.runCommand(['tokens', 'retire'], env)).stdout, /^retired {2}yes\nRestart every node now/);
    assert.deepEqual((await host.runJson(['tokens', 'retire'], env)).body, { retired: false });
    assert.deepEqual((await rotate('--keep-previous', 'off')).body, { ...rotated, previous_kept: false });
    const set = await host.runCommand(['tokens', 'rotate'], { ...env, TOKEN_SECRET: 'a secret of sixteen' });
    assert.equal(set.status, 1);
    assert.match(set.stderr, /^TOKEN_SECRET is set, .*TOKEN_SECRET_PREVIOUS\.\n$/);
  });

  await t.test("the secret of an account's webhook rotates", async () => {
    const { account_id: accountId } = (await host.runJson(['accounts', 'create', 'Rotating'], env)).body;
    const args = ['webhooks', 'rotate', '--account', accountId, '--mode', 'sandbox'];
    const none = `The account ${accountId} in sandbox mode has no webhook.`;
    assert.deepEqual(await host.runJson(args, env), { status: 1, body: { error: none } });
    const database = new pg.Client({ connectionString: env.DATABASE_URL });
    await database.connect();
    await database
      .query(
        `insert into doorstep.webhook_endpoints (account_id, mode, url, secret, enabled, updated_at)
         values ($1, 'sandbox', 'https://a.example/', 'whsec_b2xk', true, now())`,
        [accountId],
      )
      .finally(() => database.end());
    const first = await host.runJson(args, env);
    const members = ['endpoint', 'signing_secret', 'previous_secret_until'];
    assert.deepEqual([first.status, Object.keys(first.body)], [0, members]);
    assert.match(first.body.signing_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const second = await host.runJson(args, env);
    assert.deepEqual([second.status, /is still valid until /.test(second.body.error)], [1, true]);
    const { stdout } = await host.runCommand([...args, '--overlap-hours', '0'], env);
    assert.match(stdout, /^endpoint +https:\/\/a\.example\/\nsigning_secret +whsec_\S+\n$/);
  });

  await t.test('an account’s limits are set, shown and reset one by one', async () => {
    const { account_id } = (await host.runJson(['accounts', 'create', 'Limited'], env)).body;
    const given = [
      ...'--language fr --agent-orders handover --negative-markup on --sms 7 --emails unlimited'.split(' '),
      ...'--declines-card 40'.split(' '),
    ];
    const set = await host.runJson(['accounts', 'set', account_id, ...given], env);
    const readLimit = (body: typeof set.body, name: string) => {
      const { used, limit, is_own } = body.budgets.find(({ budget }: { budget: string }) => budget === name);
      return [used, limit, is_own];
    };
    assert.deepEqual(
      [set.status, set.body.language, set.body.agent_orders, set.body.negative_markup],
      [0, 'fr', 'handover', true],
    );
    assert.deepEqual(set.body.declines_per_hour, [
      { scope: 'user', limit: 10, is_own: false },
      { scope: 'card', limit: 40, is_own: true },
      { scope: 'key', limit: 100, is_own: false },
    ]);
    assert.deepEqual(
      [readLimit(set.body, 'sms'), readLimit(set.body, 'emails')],
      [
        [0, 7, true],
        [0, null, true],
      ],
    );
    assert.deepEqual(readLimit(set.body, 'unpaid_orders'), [0, 1000, false]);
    const none = await host.runCommand(['accounts', 'set', account_id, '--declines-user', '0'], env);
    assert.equal(none.status, 2);
    assert.match(none.stderr, /^limits\.declines_user must be at least 1/);
    await host.runJson(['accounts', 'set', account_id, '--sms', 'default'], env);
    const shown = await host.runJson(['accounts', 'show', account_id], { ...env, DAILY_BUDGETS: '{"sms": 12}' });
    assert.deepEqual(
      [readLimit(shown.body.limits, 'sms'), readLimit(shown.body.limits, 'emails')],
      [
        [0, 12, false],
        [0, null, true],
      ],
    );
    assert.deepEqual([shown.body.limits.negative_markup, shown.body.limits.held_back], [true, []]);
    assert.match((await host.runCommand(['accounts', 'show', account_id], env)).stdout, /^sms +live +0 +2000 +no$/m);
  });

  await t.test('an unknown id exits with status 1 and an error message', async () => {
    const missing = [
      ['account', 'acc_none', 'keys', 'create', '--account', 'acc_none'],
      ['account', 'acc_none', 'keys', 'list', '--account', 'acc_none'],
      ['account', 'acc_none', 'webhooks', 'rotate', '--account', 'acc_none', '--mode', 'live'],
      ['account', 'acc_none', 'accounts', 'set', 'acc_none', '--sms', '5'],
      ['key', 'key_none', 'keys', 'revoke', 'key_none'],
      ['store', NO_STORE, 'stores', 'set', NO_STORE, '--accept-pickup', 'off'],
      ['store', 'none', 'stores', 'set', 'none', '--accept-pickup', 'off'],
      ['store', NO_STORE, 'stores', 'set', NO_STORE, '--courier', 'none'],
      ['store', NO_STORE, 'stores', 'terms', NO_STORE],
      ['store', 'none', 'statements', '--month', '2026-06', '--store', 'none'],
      ['merge', 'mrg_none', 'stores', 'unmerge', 'mrg_none'],
      ['store', NO_STORE, 'products', 'set', NO_STORE, 'p', '--available', 'off'],
      ['store', 'none', 'products', 'set', 'none', 'p', '--available', 'off'],
      ['order', 'ord_none', 'orders', 'show', 'ord_none'],
      ['order', 'ord_none', 'orders', 'advance', 'ord_none', 'confirm'],
      ['order', 'ord_none', 'orders', 'tip', 'ord_none', '--driver-tip-cents', '100', '--reason', 'asked'],
      ['account', 'acc_none', 'accounts', 'rename', 'acc_none', 'Other'],
      ['webhook', 'whk_none', 'webhooks', 'replay', 'whk_none'],
    ];
    for (const [noun, id, ...args] of missing) {
      const json = await host.runJson(args, env);
      assert.deepEqual(json, { status: 1, body: { error: `No such ${noun}: ${id}.` } }, args.join(' '));
    }
    const { status, stdout, stderr } = await host.runCommand(['keys', 'revoke', 'key_none'], env);
    assert.deepEqual([status, stdout, stderr], [1, '', 'No such key: key_none.\n']);
  });

  await t.test('an account is renamed, and without keys has an empty list of keys', async () => {
    const { account_id } = (await host.runJson(['accounts', 'create', 'No key'], env)).body;
    assert.equal((await host.runJson(['accounts', 'rename', account_id, 'No keys'], env)).status, 0);
    assert.equal((await host.runJson(['accounts', 'show', account_id], env)).body.name, 'No keys');
    assert.deepEqual(await host.runJson(['keys', 'list', '--account', account_id], env), {
      status: 0,
      body: { keys: [] },
    });
  });

  await t.test('import from a pipe, a file with a bad line, and no file', async () => {
    const line = `${JSON.stringify(STORE)}\n`;
    const piped = await runJson(['import', '-', '--source', 'shop'], env, line);
    assert.equal(piped.status, 0);
    assert.deepEqual([piped.body.read, piped.body.created, piped.body.rejected], [1, 1, 0]);
    const file = join(env.DATA_DIR ?? '', 'shop.ndjson');
    writeFileSync(file, `${line}{"external_id":"two"}\n`);
    const some = await host.runJson(['import', file], env);
    assert.equal(some.status, 1);
    assert.deepEqual([some.body.unchanged, some.body.rejected], [1, 1]);
    assert.equal((await host.runCommand(['import', `${file}.gone`], env)).status, 2);
  });

  await t.test('stores and products, listed and switched', async () => {
    const { stores } = (await host.runJson(['stores', 'list', '--source', 'shop'], env)).body;
    const { store_id } = stores[0];
    const one = {
      store_id,
      external_id: 'one',
      name: 'Store One',
      source: 'shop',
      listed: true,
      merged_into: null,
      delist_reason: null,
    };
    assert.deepEqual(stores, [one]);
    assert.deepEqual(await host.runJson(['stores', 'list', '--source', 'none'], env), {
      status: 1,
      body: { error: 'No feed named none contains stores.' },
    });
    assert.deepEqual((await host.runJson(['stores', 'list', '--search', 'store o'], env)).body.stores, stores);
    const { products } = (await host.runJson(['products', 'list', store_id], env)).body;
    assert.deepEqual(
      products.map((one: { external_id: string }) => one.external_id),
      ['p'],
    );
    const set = (
      await host.runJson(['stores', 'set', store_id, '--online-ordering', 'off', '--accept-pickup', 'OFF'], env)
    ).body;
    assert.deepEqual(
      [set.store_id, set.online_ordering, set.accept_delivery, set.accept_pickup],
      [store_id, false, true, false],
    );
    assert.deepEqual((await host.runJson(['stores', 'show', store_id], env)).body, set);
    assert.deepEqual(set.delivery_parties, []);
    assert.equal((await host.runJson(['stores', 'show', 'f'.repeat(24)], env)).status, 1);
    const setCourier = async (courier: string) =>
      (await host.runJson(['stores', 'set', store_id, '--courier', courier], env)).body;
    assert.equal((await setCourier('uber_direct')).courier, 'uber_direct');
    assert.equal((await host.runJson(['stores', 'show', store_id], env)).body.courier, 'uber_direct');
    assert.equal((await setCourier('none')).courier, 'none');
    assert.match((await setCourier('pigeons')).error, /^courier must be none or one of /);
    const printer = await host.runJson(['stores', 'channels', store_id, '--printer', '127.0.0.1:9'], env);
    assert.deepEqual(
      printer.body.channels.map((one: { channel: string; last_error: string }) => [one.channel, one.last_error]),
      [['printer', 'not reached yet']],
    );
    const noProduct = await host.runJson(['products', 'set', store_id, 'none', '--available', 'off'], env);
    assert.deepEqual(noProduct, { status: 1, body: { error: `Store ${store_id} has no product none.` } });
    const product = await host.runJson(
      ['products', 'set', store_id, 'p', '--available', 'off', '--qty-available', '7'],
      env,
    );
    const expected = { store_id, external_id: 'p', name: 'P', available: false, qty_available: 7 };
    assert.deepEqual(product, { status: 0, body: expected });
    const uncounted = await host.runJson(['products', 'set', store_id, 'p', '--qty-available', 'none'], env);
    assert.deepEqual(uncounted.body, { ...expected, qty_available: null });
    for (const nothing of [
      ['products', 'set', store_id, 'p'],
      ['stores', 'set', store_id],
    ])
      assert.equal((await host.runCommand(nothing, env)).status, 2);
    assert.equal((await host.runCommand(['products', 'set', store_id, 'p', '--qty-available', '-1'], env)).status, 2);
  });

  await t.test('an import leaves the processor to a service on the same machine', async () => {
    const { child, finished } = startCommand(['import', '-', '--source', 'none'], env);
    await new Promise((written) => child.stdin.write('\n'.repeat(1024 * 1024), written));
    // On Linux each thread of a process has its own priority.
    const tasks = `/proc/${child.pid}/task`;
    const threads = existsSync(tasks) ? readdirSync(tasks).map(Number) : [child.pid as number];
    const niceness = Math.max(getPriority(), NICENESS);
    assert.deepEqual(new Set(threads.map((thread) => getPriority(thread))), new Set([niceness]));
    child.stdin.end();
    assert.equal((await finished).status, 0);
  });
});
