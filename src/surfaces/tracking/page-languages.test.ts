import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenTracked, givenTrackedStore } from '../../../test/given/tracked.ts';
import { givenApp } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';

const TAXES = [
  { name: 'GST', percent: 5 },
  { name: 'QST', percent: 9.975 },
];
/** A client of an account whose customers read Spanish. */
const app = await givenApp();
const storeId = await givenTrackedStore(app);
const spanish = await app.givenClient();
await saveBranding(app.service.deps.db, spanish.accountId, { language: 'es' }, app.now());
after(() => app.close());

const open = (link: string, accepted = '') =>
  app.service.http.inject({ url: link, headers: accepted === '' ? {} : { 'accept-language': accepted } });

test('a page uses the language of ?lang=, then the order’s, the browser’s and the account’s', async () => {
  const [plain, french] = [
    await givenTracked(spanish, storeId),
    await givenTracked(spanish, storeId, { user_language: 'fr-CA' }),
  ];
  const cases: [order: typeof plain, lang: string, accepted: string, language: Language][] = [
    [plain, '', '', 'es'],
    [plain, '', 'fr-CA,fr;q=0.9', 'fr'],
    [plain, '', 'de', 'es'],
    [plain, 'en-US', 'fr', 'en'],
    [plain, 'xx', 'fr', 'fr'],
    [french, '', 'en', 'fr'],
    [french, 'es', 'en', 'es'],
    [french, '%3Cscript%3E', 'en', 'fr'],
  ];
  for (const [order, lang, accepted, language] of cases) {
    const { headers, body, statusCode } = await open(`${order.link}${lang === '' ? '' : `&lang=${lang}`}`, accepted);
    const what = `${lang} ${accepted}`;
    assert.equal(statusCode, 200, what);
    assert.ok(body.includes(`<html lang="${language}">`), what);
    assert.equal(headers['content-language'], language, what);
    assert.match(String(headers.vary), /accept-language/i);
  }
});

test('pages without an order follow the browser', async () => {
  const { body, statusCode, headers } = await open('/tracking?tracking_id=ord_none', 'es-MX,es;q=0.9');
  assert.deepEqual([statusCode, headers['content-language']], [404, 'es']);
  assert.match(body, /No encontramos ese pedido/);
});

test('every page links to the other languages, and its links keep the chosen one', async () => {
  const order = await givenTracked(app, storeId);
  for (const path of [order.link, order.link.replace('/tracking?', '/tracking/receipt?')]) {
    const { body } = await open(`${path}&lang=fr`);
    for (const other of ['en', 'es']) {
      assert.match(
        body,
        new RegExp(`<a href="\\?tracking_id=${order.orderId}&amp;key=[\\w-]+&amp;lang=${other}" lang="${other}"`),
      );
    }
    assert.match(body, new RegExp(`href="[^"?]*\\?tracking_id=${order.orderId}&amp;key=[\\w-]+&amp;lang=fr"`));
  }
});

/** Parses a page's amounts into cents by the language's number format. */
function amountsOf(page: string, language: Language): number[] {
  const written = language === 'fr' ? /-?\d[\d\u00a0]*,\d\d(?=\u00a0\$)/g : /-?\$\d[\d,]*\.\d\d/g;
  return [...page.replace(/<[^>]*>/g, ' ').matchAll(written)].map(([amount]) => Number(amount.replace(/[^\d-]/g, '')));
}

test('the same order shows the same figures on its page and its receipt in every language', async () => {
  const quebec = await givenTrackedStore(app, { id: 'quebec', fees: { taxes: TAXES } });
  const orders = await Promise.all([givenTracked(app, storeId), givenTracked(app, quebec)]);
  for (const order of orders) for (const step of ['confirm', 'cancel']) await order.advance(step);
  for (const path of orders.flatMap(({ link }) => [link, link.replace('/tracking?', '/tracking/receipt?')])) {
    const [english, ...others] = await Promise.all(
      LANGUAGES.map(async (language) => amountsOf((await open(`${path}&lang=${language}`)).body, language)),
    );
    assert.ok((english?.length ?? 0) > 8);
    for (const other of others) assert.deepEqual(other, english);
  }
});

test('a page’s script contains only the texts of its language', async () => {
  const order = await givenTracked(app, storeId);
  const scripts = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { body } = await open(`${order.link}&lang=${language}`);
      return (await open(/<script type="module" src="([^"]*)"/.exec(body)?.[1] ?? '')).body;
    }),
  );
  const texts = ['Running late', 'En retard', 'Con retraso'];
  assert.deepEqual(
    scripts.map((script) => texts.map((text) => script.includes(text))),
    [
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ],
  );
});

test('the taxes that a feed names are on the receipt, in French by their French names', async () => {
  const quebec = await givenTrackedStore(app, { id: 'quebec', fees: { taxes: TAXES } });
  const order = await givenTracked(app, quebec, { user_language: 'fr-CA' });
  const { body } = await open(order.link);
  assert.match(body, /<th scope="row">TPS \(5\u00a0%\)<\/th><td>2,63\u00a0\$<\/td>/);
  assert.match(body, /<th scope="row">TVQ \(9,975\u00a0%\)<\/th><td>5,24\u00a0\$<\/td>/);
});
