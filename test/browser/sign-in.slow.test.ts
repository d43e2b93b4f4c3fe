import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenIssuer, type Issuer } from '../fakes/openid-issuer.ts';
import { freePort } from '../given/command.ts';
import { givenOperator } from '../given/merchant.ts';
import { givenSmtp, type SmtpReceiver } from '../given/smtp.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible } from './accessible.ts';
import { givenBrowser, openPage } from './browser.ts';
import { DESK } from './operator-view.ts';

const EMAIL = 'ana@example.com';

let app: App;
let smtp: SmtpReceiver;
let issuer: Issuer;
before(async () => {
  [smtp, issuer] = [await givenSmtp(), await givenIssuer()];
  const port = await freePort();
  // Another site than the issuer's 127.0.0.1, so that its redirect brings no `SameSite=Strict` cookie.
  const baseUrl = `http://localhost:${port}`;
  app = await givenApp({ env: { PORT: port, BASE_URL: baseUrl, SMTP_URL: smtp.url, ...issuer.env } });
  await app.service.listen();
  await givenOperator(app, { email: EMAIL, name: 'Ana Ruiz' });
});
after(async () => {
  await app.close();
  await Promise.all([smtp.close(), issuer.close()]);
});

test('an operator signs in with the button of an emailed link, and out again', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openPage(browser, `${app.config.baseUrl}/console/operator/sign-in`, {
    viewport: DESK,
  });
  await assertAccessible(page, 'the sign-in');
  await page.getByLabel('Email').fill(EMAIL);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  await app.advance({ seconds: 1 });
  const linkOf = () => /http\S+\/link\/\S+/.exec(smtp.received.at(-1)?.raw.replaceAll('=\r\n', '') ?? '')?.[0];
  await until('the link has arrived', async () => linkOf() !== undefined);
  await page.goto(linkOf() ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Ana Ruiz, admin').waitFor();
  // Signing out refuses what the view is reading at that moment, which the browser notes.
  assert.deepEqual(faults, []);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/console$/);
  await close();
});

test('an operator signs in at an issuer of another site; a person who is none is refused by a page', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const start = `${app.config.baseUrl}/console/operator/sign-in`;
  const { page, close } = await openPage(browser, start, { viewport: DESK });
  const signInAs = async (email: string) => {
    issuer.signIn({ email, email_verified: true });
    await page.goto(start);
    await page.getByRole('link', { name: /single sign-on/i }).click();
    await page.getByRole('link', { name: 'Continue' }).click();
  };
  await signInAs('stranger@example.com');
  await page.getByRole('alert').waitFor();
  await assertAccessible(page, 'the refusal');
  await page.goto(`${app.config.baseUrl}/console/operator`);
  assert.equal(await page.getByText('Ana Ruiz, admin').count(), 0);
  await signInAs(EMAIL);
  await page.getByText('Ana Ruiz, admin').waitFor();
  await close();
});
