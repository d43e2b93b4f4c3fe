import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenConsole, SAME_SITE } from '../../../test/given/merchant.ts';
import { clientOf } from '../../../test/harness.ts';
import { STORE_BUDGETS } from '../../access/budgets/budget.ts';
import { listActions } from '../../access/sessions/actions.db.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';

const CODE = /\w{4}-\w{4}-\w{4}/;

test("an owner is invited in the store's language by email or SMS: the code signs in once and is nowhere else", async (t) => {
  const lines: string[] = [];
  const options = { env: { LOG_LEVEL: 'debug' }, onLogLine: (line: string) => void lines.push(line) };
  const { app, storeId, smtp, texts } = await givenLiveShop(t, undefined, options);
  const { db, messaging } = app.service.deps;
  const admin = await givenConsole(app, null);
  const send = async (body: object) => {
    const reply = await admin.post(`/operator/stores/${storeId}/invitations`, body);
    await app.advance({ seconds: 1 });
    return reply;
  };
  const subjects = { en: /^Your access code/, fr: /^Votre code d’accès/, es: /^Tu código de acceso/ };
  const codes: string[] = [];
  for (const language of ['en', 'fr', 'es'] as const) {
    await updateStorePreferences(db, storeId, { language });
    assert.deepEqual((await send({ email: 'owner@example.com' })).body, { by: 'email' });
    const { mail } = smtp.received.at(-1) ?? assert.fail('no email');
    assert.match(mail.subject ?? '', subjects[language]);
    codes.push(CODE.exec(mail.text ?? '')?.[0] ?? assert.fail(mail.text));
    assert.deepEqual((await send({ phone: '(212) 555-0199' })).body, { by: 'sms' });
    const { to, body } = texts.at(-1) ?? assert.fail('no SMS');
    assert.equal(to, '+12125550199');
    codes.push(CODE.exec(body)?.[0] ?? assert.fail(body));
  }
  const refusal = new OutsideError('SMS', 'refused', { retryable: false });
  messaging.smsSender = { sendText: () => Promise.reject(refusal) };
  await send({ phone: '+12125550199' });
  for (const code of codes) {
    const signIn = () => clientOf(app.service, '', '').post('/console/sign-in', { code }, SAME_SITE);
    assert.deepEqual([(await signIn()).status, (await signIn()).status], [200, 401], code);
  }
  const actions = await listActions(db, { target: storeId, limit: 10 });
  assert.deepEqual([actions.length, actions[0]?.action, actions[0]?.details], [7, 'store.invite', { by: 'sms' }]);
  assert.match(lines.join(''), /an invitation to a store failed for good/);
  const kept = JSON.stringify(actions) + lines.join('');
  for (const secret of [...codes, 'owner@example.com', '2125550199']) assert.ok(!kept.includes(secret), secret);
});

test('an invitation that cannot go out, or is over the daily budget, is refused and sends nothing', async (t) => {
  const { app, storeId, smtp, texts } = await givenLiveShop(t);
  const { messaging } = app.service.deps;
  const admin = await givenConsole(app, null);
  const path = `/operator/stores/${storeId}/invitations`;
  const email = { email: 'owner@example.com' };
  const refused = async (body: object, name: string) => {
    const reply = await admin.post(path, body);
    assert.deepEqual([reply.status, reply.body.errors?.[0]?.name], [400, name], reply.text);
  };
  await refused({}, 'body');
  await refused({ ...email, phone: '+12125550199' }, 'body');
  await refused({ email: 'a@b.c, d@e.f' }, 'email');
  for (const phone of ['1', 'owner', '+442071234567', '+19005550199']) await refused({ phone }, 'phone');
  for (let n = 0; n < STORE_BUDGETS.invitations; n += 1) assert.equal((await admin.post(path, email)).status, 200);
  const over = await admin.post(path, { phone: '+12125550199' });
  assert.deepEqual([over.status, over.body.code], [429, 'rate_limited']);
  await app.advance({ seconds: 1 });
  assert.deepEqual([smtp.received.length, texts.length], [STORE_BUDGETS.invitations, 0]);
  messaging.mailer = undefined;
  messaging.smsSender = undefined;
  await refused(email, 'email');
  await refused({ phone: '+12125550199' }, 'phone');
});
