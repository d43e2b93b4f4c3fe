import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { runs } from '../../../test/runs.ts';
import { openShortLink, shortenLink } from '../../notify/messages/shorten-links.flow.ts';
import { createTokenSealer } from '../../platform/lib/tokens.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
after(() => app.close());

const open = (path: string, headers = {}) => app.service.http.inject({ url: path, headers });
const pathOf = (link: string) => new URL(link).pathname;
const allRows = () => app.service.deps.db.selectFrom('shortLinks').selectAll().execute();

test('a link of any site opens its path; it has 40 characters where the host has up to 18, and 66 to 96 bits', async () => {
  const { deps } = app.service;
  const host = fc.stringMatching(/^[a-z]{1,20}\.example$/);
  const path = fc.stringMatching(/^(tracking\?tracking_id=|checkout\/|driver\/)[\w-]{30,80}$/);
  await fc.assert(
    fc.asyncProperty(host, path, async (name, long) => {
      const siteUrl = `https://${name}`;
      const short = await shortenLink(deps, siteUrl, `${siteUrl}/${long}`);
      const code = short.slice(`${siteUrl}/t/`.length);
      assert.ok(short.startsWith(`${siteUrl}/t/`) && /^[\w-]{10,15}[a-zA-Z\d]$/.test(code), short);
      if (name.length <= 18) assert.ok(short.length <= 40, short);
      if (name.length <= 13) assert.equal(code.length, 16);
      assert.equal(await shortenLink(deps, siteUrl, `${siteUrl}/${long}`), short);
      assert.equal(await openShortLink(deps, code), long);
    }),
    { numRuns: runs(50) },
  );
});

test('an order’s SMS contains a short link, which leads to the customer’s page and is never cached', async () => {
  const order = await givenTracked(app, storeId);
  const { messages } = (await app.get('/sandbox/messages', { order_id: order.orderId })).body;
  const [text] = messages.filter(({ channel }: { channel: string }) => channel === 'sms');
  const link = /https?:\S+\/t\/\S+/.exec(text.text)?.[0] ?? assert.fail(text.text);
  const answer = await open(pathOf(link));
  assert.deepEqual([answer.statusCode, answer.headers.location], [303, `..${order.link}`]);
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  assert.match((await open(order.link)).body, /Track/i);
  const mail = messages.find(({ channel }: { channel: string }) => channel === 'email');
  assert.ok(mail.text.includes(order.link), 'a mail keeps the whole link');
});

test('the database names neither the order nor the code of a link, and another secret opens nothing', async () => {
  const order = await givenTracked(app, storeId);
  const long = `https://go.example${order.link}`;
  const code = (await shortenLink(app.service.deps, 'https://go.example', long)).split('/').at(-1) ?? '';
  const rows = await allRows();
  for (const word of [order.orderId, order.key, code]) {
    assert.ok(rows.every(({ target, codeHash }) => !`${target} ${codeHash.toString('latin1')}`.includes(word)));
  }
  const tokens = createTokenSealer({ current: 'another', previous: [] });
  assert.equal(await openShortLink({ db: app.service.deps.db, tokens }, code), undefined);
});

test('404 for a code that no link has: a page for browsers, a problem for programs', async () => {
  const link = await shortenLink(app.service.deps, 'https://go.example', `https://go.example/${'x'.repeat(60)}`);
  const code = pathOf(link).slice('/t/'.length);
  const others = [`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`, code.slice(0, -1), `${code}A`];
  const hostile = ['A', 'A'.repeat(90), "'or'1'='1'--", '%F0%9F%8D%95abcdefgh', '..%2Ftracking', '-'.repeat(11)];
  for (const sent of [...others, ...hostile]) {
    const page = await open(`/t/${sent}`, { accept: 'text/html' });
    assert.equal(page.statusCode, 404, sent);
    assert.ok(!page.body.includes('or&#39;1'), sent);
    const problem = await open(`/t/${sent}`, { accept: 'application/json' });
    assert.deepEqual([problem.statusCode, problem.json().code], [404, 'order_not_found'], sent);
  }
});

test('a link ends with the records of its message', async () => {
  await shortenLink(app.service.deps, 'https://go.example', `https://go.example/${'y'.repeat(60)}`);
  await app.advance({ hours: 24 * (app.config.recordsKeepDays + 2) });
  assert.deepEqual(await allRows(), []);
});
