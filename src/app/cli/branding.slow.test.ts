import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Env, givenDatabase, runJson as runProcess } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';

/** A single-color PNG of 16 by 16 pixels. */
const FAVICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFElEQVR42mM4QCJgGNUwqmH4agAANr5AH4uLCh4AAAAASUVORK5CYII=',
  'base64',
);
const PLAIN = {
  language: 'en',
  terms_url: null,
  privacy_url: null,
  display_name: null,
  logo_url: null,
  from_address: null,
  bcc_address: null,
  favicon: null,
  tracking_host: null,
  tracking_host_verified_at: null,
  color: null,
  corners: 'soft',
  font: 'system',
  cover_url: null,
  welcome: null,
  owner_look: false,
  help_url: null,
  help_email: null,
  help_phone: null,
  customer_cancel: false,
  reorder_url: null,
  shop: 'off',
  shop_stores: null,
  shop_near: null,
  shop_url: null,
  ucp: 'off',
  on_its_way: 'off',
  delivered: 'off',
};
const WHOLE = {
  language: 'en',
  terms_url: 'https://pizza.example/terms',
  privacy_url: 'https://pizza.example/privacy',
  display_name: 'Pizza Palace',
  logo_url: 'https://cdn.pizza.example/logo.png',
  from_address: 'orders@pizza.example',
  bcc_address: 'books@pizza.example',
  favicon: { type: 'image/png', size: FAVICON.length },
  tracking_host: 'tracking.pizza.example',
  tracking_host_verified_at: null,
  color: '#0b6b4a',
  corners: 'round',
  font: 'classic',
  cover_url: 'https://cdn.pizza.example/cover.jpg',
  welcome: 'Pies from the stone oven',
  help_url: 'https://pizza.example/help',
  help_email: 'help@pizza.example',
  help_phone: '+12125550123',
  owner_look: true,
  customer_cancel: true,
  reorder_url: 'https://pizza.example/again?order={order_id}',
  shop: 'off',
  shop_stores: null,
  shop_near: null,
  shop_url: null,
  ucp: 'off',
  on_its_way: 'both',
  delivered: 'email',
};

const host = givenCommandHost();
after(() => host.close());
const { runCommand, runJson } = host;

test('an invalid value exits with status 2 and an error message', async (t) => {
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const id = (await runJson(['accounts', 'create', 'Pizza'], env)).body.account_id;
  const misuses = {
    '--display-name': 'a'.repeat(61),
    '--logo-url': 'logo.png',
    '--from-address': 'orders',
    '--bcc-address': 'a@example.com,b@example.com',
    '--favicon': '/nowhere/icon.png',
    '--tracking-host': 'localhost',
    '--color': '#fff',
    '--cover-url': 'cover.jpg',
    '--welcome': 'a'.repeat(81),
    '--help-url': 'http://example.com/help',
    '--terms-url': 'http://example.com/terms',
    '--privacy-url': 'privacy',
    '--help-email': 'Help <help@example.com>',
    '--help-phone': 'call us',
    '--reorder-url': 'https://{store_id}.example.com/',
  };
  for (const [option, value] of Object.entries(misuses)) {
    const { status, stdout, stderr } = await runCommand(['branding', 'set', '--account', id, option, value], env);
    assert.deepEqual([status, stdout], [2, ''], `${option} ${value}`);
    const field = option.slice(2).replaceAll('-', '_');
    const expected =
      option === '--favicon' ? /^option '--favicon <file>' .*ENOENT/ : new RegExp(`^${field} must .*[^.]\\.\\n$`);
    assert.match(stderr, expected);
  }
  const nothing = await runJson(['branding', 'set', '--account', id], env);
  assert.deepEqual(nothing, { status: 2, body: { error: 'body must change something.' } });
});

test('the branding of an account', async (t) => {
  const { env: database, drop } = await givenDatabase();
  t.after(drop);
  const env: Env = {
    ...database,
    TRACKING_URL: 'http://203.0.113.9',
    MAIL_FROM: 'Doorstep <doorstep@service.example>',
  };
  const account_id: string = (await runJson(['accounts', 'create', 'Pizza'], env)).body.account_id;
  const set = (...args: string[]) => runJson(['branding', 'set', '--account', account_id, ...args], env);
  const icon = join(env.DATA_DIR ?? '', 'icon.png');
  writeFileSync(icon, FAVICON);

  await t.test('is plain at first, and needs no DNS records', async () => {
    const shown = await runJson(['branding', 'show', '--account', account_id], env);
    assert.deepEqual(shown, { status: 0, body: { account_id, ...PLAIN, dns_records: [] } });
    const text = await runCommand(['branding', 'show', '--account', account_id], env);
    assert.match(text.stdout, /^on_its_way +off$/m);
    const checked = await runJson(['branding', 'check', '--account', account_id], env);
    assert.deepEqual(checked, { status: 0, body: { account_id, ok: true, dns_records: [] } });
  });

  await t.test('is set all at once, with the DNS records that its sender and tracking host need', async () => {
    const { status, body } = await set(
      ...['--display-name', WHOLE.display_name, '--logo-url', WHOLE.logo_url, '--from-address', WHOLE.from_address],
      ...['--bcc-address', WHOLE.bcc_address, '--favicon', icon, '--tracking-host', 'Tracking.Pizza.Example'],
      ...['--color', '#0B6B4A', '--help-url', WHOLE.help_url, '--help-email', WHOLE.help_email],
      ...['--help-phone', '(212) 555-0123', '--customer-cancel', 'on', '--reorder-url', WHOLE.reorder_url],
      ...['--on-its-way', 'both', '--delivered', 'email', '--corners', 'round', '--font', 'classic'],
      ...['--cover-url', WHOLE.cover_url, '--welcome', WHOLE.welcome, '--owner-look', 'on'],
      ...['--terms-url', WHOLE.terms_url, '--privacy-url', WHOLE.privacy_url],
    );
    const { dns_records: records, ...branding } = body;
    assert.deepEqual([status, branding], [0, { account_id, ...WHOLE, changed: true }]);
    assert.deepEqual(
      records.map(({ type, name, values }: Record<string, unknown>) => ({ type, name, values })),
      [
        { type: 'CNAME', name: 'doorstep._domainkey.pizza.example', values: ['doorstep._domainkey.service.example'] },
        { type: 'CNAME', name: 'bounce.pizza.example', values: ['bounce.service.example'] },
        { type: 'TXT', name: 'pizza.example', values: ['v=spf1 include:service.example ~all'] },
        { type: 'TXT', name: '_dmarc.pizza.example', values: ['v=DMARC1; p=none'] },
        { type: 'A', name: 'tracking.pizza.example', values: ['203.0.113.9'] },
      ],
    );
    const shown = await runJson(['branding', 'show', '--account', account_id], env);
    assert.deepEqual({ ...shown.body, changed: true }, body);
  });

  await t.test('only the named settings change, and records are printed for those', async () => {
    const { body } = await set('--display-name', 'Pizza Castle');
    assert.deepEqual(body, { account_id, ...WHOLE, display_name: 'Pizza Castle', dns_records: [], changed: true });
    const text = await runCommand(
      ['branding', 'set', '--account', account_id, '--tracking-host', WHOLE.tracking_host],
      env,
    );
    assert.match(text.stdout, /^changed +no$/m);
    assert.match(text.stdout, /^tracking +A +tracking\.pizza\.example +203\.0\.113\.9 /m);
    assert.doesNotMatch(text.stdout, /CNAME/);
  });

  await t.test('commands at the same time lose nothing of each other', async () => {
    const beside = (...args: string[]) => runProcess(['branding', 'set', '--account', account_id, ...args], env);
    await Promise.all([
      beside('--display-name', 'Pizza Tower'),
      beside('--bcc-address', 'tower@pizza.example'),
      beside('--logo-url', 'https://cdn.pizza.example/tower.png'),
    ]);
    const { body } = await set('--favicon', icon);
    assert.deepEqual(
      [body.display_name, body.bcc_address, body.logo_url],
      ['Pizza Tower', 'tower@pizza.example', 'https://cdn.pizza.example/tower.png'],
    );
  });

  await t.test('a tracking host belongs to one account, and never to all of them', async () => {
    const other = (await runJson(['accounts', 'create', 'Sushi'], env)).body.account_id;
    const take = (host: string, more = {}) =>
      runJson(['branding', 'set', '--account', other, '--tracking-host', host], { ...env, ...more });
    const error = 'The custom domain tracking.pizza.example belongs to another account.';
    assert.deepEqual(await take('TRACKING.pizza.example.'), { status: 1, body: { error } });
    const own = await take('track.service.example', { TRACKING_URL: 'https://track.service.example' });
    assert.equal(own.status, 1);
    assert.match(own.body.error, /^track\.service\.example is the service's own host\. /);
    await set('--tracking-host', '');
    assert.equal((await take('tracking.pizza.example')).status, 0);
  });

  await t.test('an empty value clears', async () => {
    const empty = [
      '--display-name',
      '',
      '--logo-url=',
      '--from-address',
      '',
      '--bcc-address',
      ' ',
      '--favicon',
      '',
      '--color',
      '',
    ];
    for (const option of [
      '--help-url',
      '--help-email',
      '--terms-url',
      '--privacy-url',
      '--help-phone',
      '--reorder-url',
    ])
      empty.push(option, '');
    const off = '--customer-cancel off --owner-look off --on-its-way off --delivered off --cover-url= --welcome=';
    empty.push(...off.split(' '));
    empty.push('--corners', 'soft', '--font', 'system');
    assert.deepEqual((await set(...empty)).body, { account_id, ...PLAIN, dns_records: [], changed: true });
  });

  await t.test('a shop is of stores that exist', async () => {
    const refused = await set('--shop', 'sandbox', '--shop-stores', 'pizzeria');
    assert.equal(refused.status, 2);
    assert.match(refused.body.error, /none has pizzeria/);
    assert.equal((await set('--shop', 'sandbox')).body.shop, 'sandbox');
    await set('--tracking-host', 'order.pizza.example');
    for (const all of ['none', '']) assert.equal((await set('--shop-stores', all)).body.shop_stores, null);
    await set('--shop-near', '1 Main St');
    const off = await set('--shop', 'off', '--tracking-host', '');
    assert.deepEqual([off.body.shop, off.body.shop_near], ['off', '1 Main St'], 'it is kept for the next time');
    await set('--shop-near', '');
  });

  await t.test('check reports missing parts with exit status 1', async () => {
    await set('--from-address', 'orders@pizza.invalid');
    const { status, body } = await runJson(['branding', 'check', '--account', account_id], env);
    assert.deepEqual([status, body.ok, body.dns_records.length], [1, false, 4]);
    // Without a network the lookup fails; with a network the name does not exist.
    for (const { state, found } of body.dns_records)
      assert.deepEqual([/^(missing|unknown)$/.test(state), found], [true, []]);
    const text = await runCommand(['branding', 'check', '--account', account_id], env);
    assert.match(
      text.stdout,
      /^return_path +CNAME +bounce\.pizza\.invalid +bounce\.service\.example .* (missing|unknown)$/m,
    );
  });

  await t.test('verify tells why links do not use the tracking host, with exit status 1', async () => {
    const verify = () => runJson(['branding', 'verify', '--account', account_id], env);
    assert.deepEqual(await verify(), { status: 1, body: { error: `Account ${account_id} has no custom domain.` } });
    await set('--tracking-host', 'track.pizza.example');
    const reason = 'TRACKING_URL begins with http. The custom domain must be an https URL.';
    const body = { account_id, tracking_host: 'track.pizza.example', verified: false, verified_at: null, reason };
    assert.deepEqual(await verify(), { status: 1, body });
  });

  await t.test('an unknown account exits with status 1 and an error message', async () => {
    for (const args of [['set', '--bcc-address', 'a@example.com'], ['show'], ['check']]) {
      const { status, body } = await runJson(['branding', ...args, '--account', 'acc_none'], env);
      assert.deepEqual([status, body], [1, { error: 'No such account: acc_none.' }]);
    }
  });
});
