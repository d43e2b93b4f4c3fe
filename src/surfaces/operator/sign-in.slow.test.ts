import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenIssuer, type TokenTwist } from '../../../test/fakes/openid-issuer.ts';
import { givenOperator, SAME_SITE } from '../../../test/given/merchant.ts';
import { givenSmtp } from '../../../test/given/smtp.ts';
import { givenApp } from '../../../test/harness.ts';

const [smtp, issuer] = [await givenSmtp(), await givenIssuer()];
const app = await givenApp({ env: { SMTP_URL: smtp.url, ...issuer.env } });
await givenOperator(app, { email: 'ana@example.com', role: 'support', name: 'Ana Ruiz' });
after(async () => {
  await app.close();
  await Promise.all([smtp.close(), issuer.close()]);
});

type Page = { status: number; location: string; cookies: Map<string, string>; text: string };

async function open(
  path: string,
  { form, cookie = '', from = '127.0.0.1', ...headers }: { form?: object; cookie?: string; from?: string } = {},
): Promise<Page> {
  const url = path.replace(/^https?:\/\/[^/]+/, '');
  const sent = { ...SAME_SITE, accept: 'text/html', cookie, ...headers };
  const reply = await app.service.http.inject(
    form
      ? {
          method: 'POST',
          url,
          remoteAddress: from,
          headers: { ...sent, 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(Object.entries(form)).toString(),
        }
      : { method: 'GET', url, remoteAddress: from, headers: { accept: 'text/html', cookie } },
  );
  const cookies = new Map(reply.cookies.map(({ name, value }) => [name, value]));
  return { status: reply.statusCode, location: String(reply.headers.location), cookies, text: reply.body };
}

const browserCookie = ({ cookies }: Page) => `doorstep_sign_in=${cookies.get('doorstep_sign_in')}`;
const who = async ({ cookies }: Page) => {
  const cookie = `doorstep_console=${cookies.get('doorstep_console')}`;
  return (await app.get('/operator/me', {}, { ...SAME_SITE, cookie, 'id-token': '' })).body.name;
};

/** Later asks of a client wait for the end of the minute. */
async function askForLink(email: string, { from = '127.0.0.1', seconds = 1 } = {}) {
  const before = smtp.received.length;
  const requested = await open('/console/operator/sign-in', { form: { email }, from });
  await app.advance({ seconds });
  const links = smtp.received.slice(before).map(linkIn);
  return { requested, links, link: links.at(-1) ?? '' };
}

const linkIn = ({ raw }: { raw: string }) => /http\S+\/link\/\S+/.exec(raw.replaceAll('=\r\n', ''))?.[0] ?? '';
const use = ({ requested, link }: { requested: Page; link: string }, from?: string) =>
  open(link, { form: {}, cookie: browserCookie(requested), ...(from ? { from } : {}) });

test('a link by email signs in the browser that asked, once, by its button and not by opening it', async () => {
  const { requested, link } = await askForLink(' Ana@Example.com ');
  assert.match(requested.text, /Check your email/);
  const cookie = browserCookie(requested);
  for (const visits of ['a scanner', 'a person']) assert.match((await open(link)).text, /<button/, visits);
  const elsewhere = await open(link, { form: {} });
  assert.deepEqual([elsewhere.status, elsewhere.cookies.size], [401, 0]);
  assert.match(elsewhere.text, /another browser/);
  const foreign = await open(link, { form: {}, cookie, ...{ origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
  const signedIn = await open(link, { form: {}, cookie });
  assert.deepEqual([signedIn.status, signedIn.location], [303, '/console/operator']);
  assert.equal(await who(signedIn), 'Ana Ruiz');
  assert.equal((await open(link, { form: {}, cookie })).status, 401, 'the link is used up');
});

test('a link ends after 15 minutes, and with the operator', async () => {
  const late = await askForLink('ana@example.com');
  await app.advance({ minutes: 15 });
  assert.equal((await open(late.link, { form: {}, cookie: browserCookie(late.requested) })).status, 401);
  const { operatorId } = await givenOperator(app, { email: 'ben@example.com' });
  const { requested, link } = await askForLink('ben@example.com');
  const disabled = { disabledAt: app.now().toString() };
  await app.service.deps.db.updateTable('operators').set(disabled).where('operatorId', '=', operatorId).execute();
  assert.equal((await open(link, { form: {}, cookie: browserCookie(requested) })).status, 401);
  assert.equal((await askForLink('ben@example.com')).link, '');
});

test('an unknown address gets the same page and no email, within the links of a client and beyond them', async () => {
  await app.advance({ hours: 1 });
  for (let count = 0; count < 10; count += 1) {
    const known = await askForLink('ana@example.com', { from: '203.0.113.20' });
    const unknown = await askForLink('nobody@example.com', { from: '203.0.113.21', seconds: 61 });
    assert.deepEqual(
      [unknown.requested.status, unknown.requested.text],
      [known.requested.status, known.requested.text],
    );
    assert.equal(
      unknown.requested.cookies.get('doorstep_sign_in')?.length,
      known.requested.cookies.get('doorstep_sign_in')?.length,
    );
    assert.ok(smtp.received.every(({ envelope }) => !envelope.to.includes('nobody@example.com')));
  }
});

test('a newer link of a browser replaces its earlier one', async () => {
  await app.advance({ hours: 1 });
  const [older, newer] = [await askForLink('ana@example.com'), await askForLink('ana@example.com')];
  const refused = await use({ requested: newer.requested, link: older.link });
  assert.equal(refused.status, 401);
  assert.match(refused.text, /was replaced by a newer one/);
  assert.equal((await use(newer)).status, 303);
});

test('requests from many clients never keep an operator from signing in, and each client sends up to 20 mails in 15 minutes', async () => {
  await app.advance({ hours: 1 });
  const before = smtp.received.length;
  const attackers = Array.from({ length: 8 }, (_, nth) => `198.51.100.${nth + 1}`);
  const attack = async (asks: number) => {
    const forms = attackers.flatMap((from) => Array.from({ length: asks }, () => from));
    const statuses = await Promise.all(
      forms.map(
        async (from) => (await open('/console/operator/sign-in', { form: { email: 'ana@example.com' }, from })).status,
      ),
    );
    assert.deepEqual(new Set(statuses), new Set([200]));
  };
  await attack(25);
  const requested = await askForLink('ana@example.com', { from: '203.0.113.30', seconds: 5 });
  const answers = await Promise.all(requested.links.map((link) => use({ ...requested, link }, '203.0.113.30')));
  assert.deepEqual(
    answers.filter(({ status }) => status !== 401).map(({ status }) => status),
    [303],
  );
  for (let minute = 1; minute < 15; minute += 1) {
    await attack(2);
    await app.advance({ minutes: 1 });
  }
  const mails = smtp.received.length - before - 1;
  assert.ok(mails <= attackers.length * 20, `${mails} mails`);
});

test('where a proxy gives everybody one address, an operator gets a link within a minute of an attack, in a browser that asked', async () => {
  await app.advance({ hours: 1 });
  const floods = async () => {
    const cookies = [];
    for (let n = 0; n < 60; n += 1) {
      const email = n % 2 === 0 ? 'ana@example.com' : `nobody${n}@example.com`;
      const requested = await open('/console/operator/sign-in', { form: { email } });
      assert.equal(requested.status, 200);
      cookies.push(browserCookie(requested));
    }
    return cookies;
  };
  const jobs = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs where kind = 'send-sign-in-link'`.execute(app.service.deps.db);
    return rows[0]?.count ?? 0;
  };
  await floods();
  assert.ok((await jobs()) <= 7, 'five links of their own, one of the minute, and one for all unknown addresses');
  const requested = await askForLink('ana@example.com', { seconds: 60 });
  for (let n = 0; n < 40; n += 1) {
    assert.equal((await open(`${requested.link}x`, { form: {} })).status, 401);
    const begun = await open('/console/operator/openid');
    const state = new URL(begun.location).searchParams.get('state');
    const wrong = `/console/operator/openid/callback?code=wrong${n}&state=${state}`;
    assert.equal((await open(wrong, { cookie: browserCookie(begun) })).status, 401);
  }
  const later = await floods();
  assert.equal((await open(requested.link, { form: {} })).status, 401, 'a browser that did not ask');
  assert.equal(
    (await open(requested.link, { form: {}, cookie: later.at(-2) ?? '' })).status,
    401,
    'one with a later request',
  );
  assert.equal((await use(requested)).status, 303);
  const { cookie, url } = await begin();
  assert.equal((await open(issuer.approve(url, ANA), { cookie })).status, 200);
});

const ANA = { email: 'Ana@example.com', email_verified: true };

async function begin() {
  await app.advance({ minutes: 1 });
  const begun = await open('/console/operator/openid');
  assert.equal(begun.status, 302, begun.text);
  return { cookie: browserCookie(begun), url: begun.location };
}

test('single sign-on signs in the operator with the verified email, by a page that opens the view', async () => {
  const { cookie, url } = await begin();
  const requested = new URL(url).searchParams;
  assert.deepEqual([requested.get('code_challenge_method'), requested.get('scope')], ['S256', 'openid email']);
  const signedIn = await open(issuer.approve(url, ANA), { cookie });
  assert.equal(signedIn.status, 200, signedIn.text);
  assert.match(signedIn.text, /http-equiv="refresh" content="0; url=\/console\/operator"/);
  assert.equal(await who(signedIn), 'Ana Ruiz');
});

const pastS = Math.floor(Temporal.Now.instant().epochMilliseconds / 1000) - 3600;
const TWISTS: Readonly<Record<string, TokenTwist>> = {
  'another audience': { claims: { aud: 'other' } },
  'another issuer': { claims: { iss: 'https://evil.example' } },
  'another nonce': { claims: { nonce: 'other' } },
  'no nonce': { claims: { nonce: undefined } },
  'an expired token': { claims: { iat: pastS - 300, exp: pastS } },
  'a token without an end': { claims: { exp: undefined } },
  'alg none': { header: { alg: 'none' }, isUnsigned: true },
  'no signature': { isUnsigned: true },
  'a signature of another key': { hasForeignKey: true },
  'an unverified email': { claims: { email_verified: false } },
  'an email whose verification is not said': { claims: { email_verified: undefined } },
  'no email': { claims: { email: undefined } },
  'the email of nobody': { claims: { email: 'nobody@example.com' } },
};

for (const [what, twist] of Object.entries(TWISTS)) {
  test(`single sign-on refuses ${what} with a page, and creates nobody`, async () => {
    const { cookie, url } = await begin();
    const refused = await open(issuer.approve(url, ANA, twist), { cookie });
    assert.deepEqual([refused.status, refused.cookies.has('doorstep_console')], [401, false], refused.text);
    assert.match(refused.text, /Single sign-on didn’t confirm/);
  });
}

test('single sign-on rejects used codes, other browsers, wrong states and denied consent', async () => {
  const [one, other] = [await begin(), await begin()];
  const back = issuer.approve(one.url, ANA);
  assert.equal((await open(back)).status, 401, 'without a cookie');
  assert.equal((await open(back, { cookie: other.cookie })).status, 401, 'another browser');
  assert.equal((await open(back, { cookie: one.cookie })).status, 200);
  assert.equal((await open(back, { cookie: one.cookie })).status, 401, 'a code that was used');
  const again = await begin();
  const { searchParams } = new URL(again.url);
  const denied = `/console/operator/openid/callback?error=access_denied&state=${searchParams.get('state')}`;
  assert.equal((await open(denied, { cookie: again.cookie })).status, 401);
  for (const query of ['', '?code=x', '?code=x&state=y', '?code=a&code=b&state=%00', `?code=${'x'.repeat(5000)}`]) {
    assert.equal(
      (await open(`/console/operator/openid/callback${query}`, { cookie: again.cookie })).status,
      401,
      query,
    );
  }
});

test('an issuer that fails or is away is said on a page, before and after the person signed in', async () => {
  const { cookie, url } = await begin();
  const back = issuer.approve(url, ANA);
  issuer.fail(500);
  assert.equal((await open(back, { cookie })).status, 401);
  issuer.fail(undefined);
  const late = await begin();
  const gone = issuer.approve(late.url, ANA);
  await issuer.close();
  const refused = await open(gone, { cookie: late.cookie });
  assert.equal(refused.status, 401);
  assert.match(refused.text, /didn’t respond/);
  const fresh = await givenApp({ env: issuer.env });
  const begun = await fresh.service.http.inject({ url: '/console/operator/openid', headers: { accept: 'text/html' } });
  assert.equal(begun.statusCode, 401);
  assert.match(begun.body, /didn’t respond/);
  await fresh.close();
});

test('a service with neither says so by offering the access code alone', async () => {
  const plain = await givenApp();
  const page = await plain.service.http.inject({ url: '/console/operator/sign-in', headers: { accept: 'text/html' } });
  assert.doesNotMatch(page.body, /<form|single sign-on/);
  await plain.close();
});
