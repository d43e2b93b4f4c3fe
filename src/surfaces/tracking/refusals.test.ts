import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';

const app = await givenApp();
const order = await givenTracked(app, await givenTrackedStore(app));

const FORMS = ['cancel', 'tip', 'problem'];
const PAGES = ['', ...['receipt', 'photo', 'calendar.ics', ...FORMS].map((name) => `/${name}`)];
type Sent = { headers?: Record<string, string>; payload?: string };
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

async function open(path: string, headers: Record<string, string> = {}) {
  return app.service.http.inject({ url: `/tracking${path}`, headers: { accept: 'text/html', ...headers } });
}
async function submit(name: string, { headers = {}, payload = '' }: Sent) {
  const { host, origin } = new URL(app.config.trackingUrl);
  return app.service.http.inject({
    method: 'POST',
    url: `/tracking/${name}`,
    headers: { ...FORM, host, origin, accept: 'text/html', ...headers },
    payload,
  });
}
type Answer = Awaited<ReturnType<typeof open>>;
function isPage({ statusCode, headers, body }: Answer, status: number, language: string, title: string): void {
  assert.deepEqual([statusCode, /<h1[^>]*>([^<]*)<\/h1>/.exec(body)?.[1]], [status, title]);
  assert.deepEqual(
    [headers['content-type'], headers['cache-control']],
    ['text/html; charset=utf-8', 'private, no-store'],
  );
  assert.equal(headers['content-language'], language);
  assert.ok(body.includes(`<html lang="${language}">`));
}
const linkOf = ({ link }: Tracked) => link.slice('/tracking?'.length);

test('a browser reads every refusal of a tracking page as a page in its language; a program gets the problem', async (t) => {
  const spanish = { 'accept-language': 'es-MX,es;q=0.9' };
  await t.test('400 for a query that cannot be read', async () => {
    for (const path of PAGES) {
      isPage(await open(`${path}?key=1&key=2`, spanish), 400, 'es', 'No se pudo enviar');
      isPage(await open(`${path}?key=1&key=2&lang=fr`), 400, 'fr', 'L’envoi n’a pas fonctionné');
      const problem = await open(`${path}?key=1&key=2`, { accept: 'application/json' });
      assert.deepEqual([problem.statusCode, problem.json().code], [400, 'invalid_request']);
    }
  });
  await t.test('400, 413 and 415 for a form that cannot be read', async () => {
    for (const name of FORMS) {
      isPage(await submit(name, { payload: 'key=%00' }), 400, 'en', 'That didn’t go through');
      isPage(await submit(name, { payload: 'x'.repeat(20_000) }), 413, 'en', 'That didn’t go through');
      const headers = { 'content-type': 'application/json', ...spanish };
      isPage(await submit(name, { payload: '{}', headers }), 415, 'es', 'No se pudo enviar');
    }
  });
  await t.test('403 for a form of another site, with the way back to the order', async () => {
    for (const name of FORMS) {
      const payload = `${linkOf(order)}&lang=fr&tip=900&reason=late&text=Late`;
      const refused = await submit(name, { payload, headers: { origin: 'https://evil.example' } });
      isPage(refused, 403, 'fr', 'L’envoi n’a pas fonctionné');
      assert.ok(refused.body.includes(`href="${order.link.replaceAll('&', '&amp;')}&amp;lang=fr"`), refused.body);
      assert.doesNotMatch(refused.body, /evil/);
    }
  });
  await t.test('429 over the visits of a link', async () => {
    for (const name of FORMS) {
      let last = await open(`/${name}?${linkOf(order)}`);
      for (let visit = 0; last.statusCode !== 429 && visit < 60; visit += 1)
        last = await open(`/${name}?${linkOf(order)}`);
      isPage(last, 429, 'en', 'Too many tries');
      assert.equal(last.headers['retry-after'], '60');
    }
  });
});

test('a flood is refused in the language of the browser, under the name of the account’s host', async (t) => {
  const small = await givenApp({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
  t.after(small.close);
  const { db, trackingSites, http } = { ...small.service.deps, http: small.service.http };
  await saveBranding(db, small.accountId, { displayName: 'Pizza', trackingHost: 'track.pizza.example' }, small.now());
  await db.updateTable('brandings').set({ trackingHostVerifiedAt: small.now().toString() }).execute();
  await trackingSites.refresh();
  const headers = { host: 'track.pizza.example', 'accept-language': 'fr-CA' };
  const ask = () => http.inject({ url: '/tracking/tip?tracking_id=none', headers, remoteAddress: '93.184.216.34' });
  assert.equal((await ask()).statusCode, 404);
  const refused = await ask();
  isPage(refused, 429, 'fr', 'Trop de tentatives');
  assert.match(refused.body, /<a class="brand" href="\/" rel="noreferrer">track\.pizza\.example<\/a>/);
  assert.doesNotMatch(refused.body, /Doorstep/);
});
