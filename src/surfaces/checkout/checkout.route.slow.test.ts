import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenPaymentMethod, orderBody } from '../../../test/given/orders.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { postForm } from '../../../test/given/post-form.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { continueCheckout, placeCheckout } from '../../ordering/place/checkout.flow.ts';

const shop = await givenPizzeria();
after(() => shop.close());

const BACK = 'https://app.example.com/thanks?cart=7';
const GUEST = { user_name: '', user_email: undefined, user_phone: undefined, user_id: '', driver_tip_cents: undefined };

type Opened = { orderId: string; path: string };

/** An unplaced order of two pizzas with a known customer, unless `changes` override that. */
async function givenCheckout(changes: object = {}): Promise<Opened> {
  const items = [{ product_id: shop.tokens.Margherita, quantity: 2, ...L }];
  const reply = await shop.post(
    '/order/order/v2',
    orderBody(undefined, shop.card, { place_order: false, items, ...changes }),
  );
  assert.equal(reply.status, 200, reply.text);
  return { orderId: reply.body.order_id, path: new URL(reply.body.checkout_url).pathname };
}
const L = { selected_options: [{ option_id: 'l', quantity: 1 }] };

const open = (path: string, headers: Record<string, string> = {}) => shop.get(path, {}, { 'id-token': '', ...headers });

async function submit(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Reply> {
  const reply = await postForm(shop, path, form, headers);
  const body = /json/.test(String(reply.headers['content-type'])) ? reply.json() : undefined;
  return { status: reply.statusCode, headers: reply.headers as Reply['headers'], text: reply.body, body };
}

const totalIn = ({ text }: Reply) => /name="total" value="(\d+)"/.exec(text)?.[1] ?? '';
const cartIn = ({ text }: Reply) => /name="cart" value="(\d+)"/.exec(text)?.[1] ?? '';
const titleOf = ({ text }: Reply) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const statusOf = async (orderId: string) => (await shop.orderOf(orderId)).status;

test('an unplaced order is reviewed and placed on its page, which redirects to the tracking page', async () => {
  const { orderId, path } = await givenCheckout();
  const page = await open(path);
  assert.deepEqual([page.status, titleOf(page)], [200, 'Your order from Test Pizzeria']);
  const placed = await submit(path, { action: 'place', total: totalIn(page) });
  const { tracking_link: link, status } = await shop.orderOf(orderId);
  assert.deepEqual([placed.status, placed.headers.location, status], [303, link, 'awaiting_confirmation']);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});

test('a link that names no order, was tampered with, has expired or was used opens nothing', async (t) => {
  const { orderId, path } = await givenCheckout();
  const token = path.slice('/checkout/'.length);
  await t.test('404 for another token, and for one with another letter', async () => {
    for (const other of [
      'x',
      token.slice(0, -1),
      `${token.slice(0, 20)}${token[20] === 'A' ? 'B' : 'A'}${token.slice(21)}`,
    ]) {
      const reply = await open(`/checkout/${other}`);
      assert.deepEqual([reply.status, titleOf(reply)], [404, 'We can’t find this checkout'], other);
      assert.equal((await submit(`/checkout/${other}`, { action: 'place', total: '1' })).status, 404);
    }
  });
  await t.test("a driver's link, or one of another kind, does not open an order", async () => {
    const { tokens } = shop.service.deps;
    const other = tokens.sealLink('driver-link', Buffer.from(`${'k'.repeat(27)}${orderId}`));
    assert.equal((await open(`/checkout/${other}`)).status, 404);
  });
  await t.test('404 for a link of another order’s key', async () => {
    const { tokens } = shop.service.deps;
    const other = tokens.sealLink('checkout-link', Buffer.from(`${'k'.repeat(27)}${orderId}`));
    assert.equal((await open(`/checkout/${other}`)).status, 404);
  });
  await t.test('410 once the order is placed: it leads to the order’s page without the key', async () => {
    assert.equal((await shop.post('/order/finalize', { order_id: orderId })).status, 200);
    const used = await open(path);
    assert.deepEqual([used.status, titleOf(used)], [410, 'You’ve already placed this order']);
    assert.match(used.text, new RegExp(`/tracking\\?tracking_id=${orderId}"`));
    assert.equal((await shop.orderOf(orderId)).checkout_url, undefined);
  });
  await t.test('410 a day after the client has stored the order; storing it again renews the link', async () => {
    const late = await givenCheckout({ checkout_return_url: BACK });
    assert.match((await shop.orderOf(late.orderId)).checkout_url, new RegExp(`${late.path}$`));
    await shop.advance({ hours: 24 });
    const expired = await open(late.path);
    assert.deepEqual([expired.status, titleOf(expired)], [410, 'This checkout has expired']);
    assert.match(expired.text, /cart=7&amp;order_id=ord_[\w-]+&amp;status=changed"/);
    assert.equal((await submit(late.path, { action: 'place', total: totalIn(expired) })).status, 410);
    assert.equal((await shop.orderOf(late.orderId)).checkout_url, undefined);
    const again = await givenCheckout({ order_id: late.orderId });
    assert.notEqual(again.path, late.path);
    assert.deepEqual([(await open(late.path)).status, (await open(again.path)).status], [404, 200]);
  });
});

test('checkout_return_url is https, or on this machine in the sandbox; anything else is refused', async () => {
  const body = (url: string) => shop.bodyOf('Margherita', { place_order: false, checkout_return_url: url });
  const reply = await shop.post('/order/order/v2', body('http://shop.example.com/'));
  assert.deepEqual([reply.status, reply.body.errors?.[0].name], [400, 'checkout_return_url']);
  const live = await shop.givenClient('live');
  const local = await live.post('/order/order/v2', { ...body('http://localhost:3000/'), charge_user: false });
  assert.deepEqual(
    [local.status, local.body.errors[0]],
    [400, { in: 'body', name: 'checkout_return_url', message: 'must be https' }],
  );
});

test('afterwards the customer is at checkout_return_url, with the order and its status', async () => {
  const { orderId, path } = await givenCheckout({
    checkout_return_url: 'http://127.0.0.1:5173/?status=old&a=b#part',
  });
  const page = await open(path);
  assert.match(
    page.text,
    new RegExp(`href="http://127.0.0.1:5173/\\?a=b&amp;order_id=${orderId}&amp;status=canceled#part"`),
  );
  assert.match(page.text, /<a class="brand" href="http:\/\/127\.0\.0\.1:5173\/" rel="noreferrer">/);
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' http:\/\/127\.0\.0\.1:5173/);
  const placed = await submit(path, { action: 'place', total: totalIn(page) });
  assert.equal(placed.headers.location, `http://127.0.0.1:5173/?a=b&order_id=${orderId}&status=placed#part`);
  assert.equal(
    (await submit(path, { action: 'place', total: totalIn(page) })).headers.location,
    placed.headers.location,
  );
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});

test('the page is not cached, cannot be framed and sends no referrer', async () => {
  const { path } = await givenCheckout();
  const { headers, text } = await open(path);
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-frame-options'], headers['x-robots-tag']],
    ['private, no-store', 'same-origin', 'DENY', 'noindex, nofollow'],
  );
  assert.match(
    String(headers['content-security-policy']),
    /default-src 'none';script-src 'self';style-src 'self'.*frame-ancestors 'none'/,
  );
  assert.doesNotMatch(text, /u1@example\.com|5550199/, 'what the client knows of the customer is not shown');
});

test('a form of another site, or of no page, is refused and changes nothing', async () => {
  const { orderId, path } = await givenCheckout();
  const form = { action: 'place', total: totalIn(await open(path)) };
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    const reply = await submit(path, form, { accept: 'application/json', ...headers });
    assert.deepEqual([reply.status, reply.body.code], [403, 'cross_site_request']);
  }
  assert.equal(await statusOf(orderId), 'unplaced');
});

test('the card page linked from checkout is in the order’s or the page’s language', async () => {
  const { path } = await givenCheckout({ payment_method_id: undefined, user_language: 'fr' });
  const leaving = await submit(path, { action: 'card', total: totalIn(await open(path)) });
  const url = new URL(/0; url=([^"]*)"/.exec(leaving.text)?.[1] ?? '');
  for (const opened of [url.pathname, url.pathname + url.search]) {
    const card = await open(opened, { 'accept-language': 'en' });
    assert.deepEqual([card.status, card.headers['content-language']], [200, 'fr'], opened);
  }
  const chosen = await submit(`${path}?lang=es`, { action: 'card', total: totalIn(await open(path)) });
  assert.match(chosen.text, /0; url=[^"]*\/payment\/setup\/[^"]*\?lang=es"/);
});

test('one link has forty visits a minute', async () => {
  const { path } = await givenCheckout();
  for (let visit = 0; visit < 40; visit += 1) assert.equal((await open(path)).status, 200);
  const refused = await open(path);
  assert.deepEqual([refused.status, titleOf(refused), refused.headers['retry-after']], [429, 'Too many tries', '60']);
  assert.match(refused.text, new RegExp(`<a class="action main" href="${path}">Back to checkout</a>`));
  await shop.advance({ minutes: 1 });
  assert.equal((await open(path)).status, 200);
});

test('a browser gets every error as a page in the order’s language; a program gets problem details', async (t) => {
  const { path } = await givenCheckout({ user_language: 'fr-CA' });
  const isPage = (reply: Reply, status: number, language: string, title: string) => {
    assert.deepEqual([reply.status, titleOf(reply)], [status, title]);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
    assert.equal(reply.headers['content-language'], language);
    assert.ok(reply.text.includes(`<html lang="${language}">`));
  };
  const long = { name: 'x'.repeat(5000) };
  const huge = { name: 'x'.repeat(20_000) };
  await t.test('400 for a query or a field that cannot be read', async () => {
    isPage(await open(`${path}?lang=${'x'.repeat(500)}`), 400, 'fr', 'L’envoi n’a pas fonctionné');
    isPage(await submit(`${path}?lang=es`, long), 400, 'es', 'No se pudo enviar');
    const problem = await submit(path, long, { accept: 'application/json' });
    assert.deepEqual([problem.status, problem.body.code], [400, 'invalid_request']);
  });
  await t.test('413 for a form that is too large, 415 for another type', async () => {
    isPage(await submit(path, huge), 413, 'fr', 'L’envoi n’a pas fonctionné');
    isPage(await submit(path, {}, { 'content-type': 'application/json' }), 415, 'fr', 'L’envoi n’a pas fonctionné');
    isPage(await submit('/checkout/again', huge, { 'accept-language': 'es-MX' }), 413, 'es', 'No se pudo enviar');
  });
  await t.test('403 for a form of another site', async () => {
    isPage(await submit(path, {}, { origin: 'https://evil.example' }), 403, 'fr', 'L’envoi n’a pas fonctionné');
  });
  await t.test('429 over the visits of a link', async () => {
    for (let visit = 0; visit < 40; visit += 1) await open(path);
    isPage(await open(path), 429, 'fr', 'Trop de tentatives');
  });
});

test('a guest enters name, email, phone, a card and a tip; the order keeps them and is placed', async (t) => {
  const { orderId, path } = await givenCheckout({ ...GUEST, payment_method_id: undefined });
  const page = await open(path);
  for (const name of ['name', 'email', 'phone']) assert.match(page.text, new RegExp(`<input id="${name}"`));
  const typed = { name: 'Ana Pérez', email: 'ana@example.com', phone: '(212) 555-0142' };
  await t.test('422 names every missing or invalid field and repeats the typed values', async () => {
    const reply = await submit(path, { action: 'card', total: totalIn(page), ...typed, email: 'ana@', phone: '12' });
    assert.equal(reply.status, 422);
    assert.match(reply.text, /<title>Error: Checkout/);
    for (const said of [
      /href="#email">Enter an email address/,
      /href="#phone">Enter a phone number/,
      /value="ana@"/,
      /value="Ana Pérez"/,
    ])
      assert.match(reply.text, said);
    assert.doesNotMatch(reply.text, /href="#name"/);
  });
  await t.test('422 without a card', async () => {
    const reply = await submit(path, { action: 'place', total: totalIn(page), ...typed });
    assert.equal(reply.status, 422);
    assert.match(reply.text, /Add a card to place your order\./);
  });
  await t.test('before there is a card the last button adds one, with the total next to it', () => {
    const total = /<tfoot>.*?(\$[\d.]+)<\/td>/s.exec(page.text)?.[1] ?? '';
    const finish = page.text.split('<div class="summary">')[1] ?? '';
    assert.match(
      finish,
      /<button type="submit" class="action main" name="action" value="card">Add a card to continue</,
    );
    assert.ok(finish.includes(`<td>${total}</td>`), total);
    assert.doesNotMatch(page.text, /value="place"/);
  });
  await t.test('a tip is a percentage or an amount, and the typed value stays', async () => {
    const tip = /value="(tip-\d+)"[^>]*>15%/.exec(page.text)?.[1] ?? '';
    const set = await submit(path, { action: tip, total: totalIn(page), ...typed });
    assert.deepEqual([set.status, set.headers.location], [303, `${path}#chosen-tip`]);
    const shown = await open(path);
    assert.match(shown.text, new RegExp(`id="chosen-tip" name="action" value="${tip}" aria-pressed="true"`));
    assert.match(shown.text, /value="ana@example.com"/);
    assert.equal((await shop.orderOf(orderId)).driver_tip_cents, Number(tip.slice(4)));
    const wrong = await submit(path, { action: 'tip-amount', tip_amount: 'much', total: totalIn(shown), ...typed });
    assert.deepEqual([wrong.status, /href="#tip_amount">Enter an amount/.test(wrong.text)], [422, true]);
    assert.equal(
      (await submit(path, { action: 'tip-amount', tip_amount: '4,5', total: totalIn(shown), ...typed })).status,
      303,
    );
    assert.equal((await shop.orderOf(orderId)).driver_tip_cents, 450);
  });
  await t.test('the card is entered on the card page of the gateway', async () => {
    const leaving = await submit(path, { action: 'card', total: totalIn(await open(path)), ...typed });
    const setup = new URL(/<meta http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.text)?.[1] ?? '').pathname;
    const saved = await submit(setup, { card_number: '4242424242424242', expiration: '12/40', cvc: '123' });
    assert.deepEqual(
      [saved.status, saved.headers.location],
      [303, `${shop.config.trackingUrl}${path}?status=success#card`],
    );
    assert.match((await open(path)).text, /Visa ending in 4242/);
  });
  await t.test('it is placed with all of that, once', async () => {
    const total = totalIn(await open(path));
    assert.equal((await submit(path, { action: 'place', total, ...typed })).status, 303);
    const order = await shop.orderOf(orderId);
    assert.deepEqual(
      [order.status, order.user_name, order.user_email, order.user_phone, order.user_id, String(order.total_with_tip)],
      ['awaiting_confirmation', 'Ana Pérez', 'ana@example.com', 12125550142, orderId, total],
    );
    assert.deepEqual(
      (await shop.chargesOf(orderId)).map(({ amount }: { amount: number }) => amount),
      [Number(total)],
    );
  });
});

test('changes during the visit are shown, and nothing is placed before the new total is accepted', async (t) => {
  const restore = () => givenStores(shop, [pizzeria()]);
  await t.test('409 for a price that rose: the accepted total is charged, no other', async () => {
    const { orderId, path } = await givenCheckout();
    const before = totalIn(await open(path));
    await givenStores(shop, [pizzeria({ fees: { ...FEES, sales_tax_percent: 10 } })]);
    const changed = await submit(path, { action: 'place', total: before });
    assert.equal(changed.status, 409);
    assert.match(changed.text, /Your total changed/);
    assert.match(changed.text, /Taxes: \$[\d.]+ \(was \$[\d.]+\)/);
    assert.match(changed.text, /Accept \$[\d.]+ and place order/);
    assert.deepEqual([await statusOf(orderId), (await shop.chargesOf(orderId)).length], ['unplaced', 0]);
    assert.notEqual(totalIn(changed), before);
    assert.equal((await submit(path, { action: 'place', total: totalIn(changed) })).status, 303);
    assert.equal((await shop.chargesOf(orderId))[0].amount, Number(totalIn(changed)));
    await restore();
  });
  await t.test('a price that rose before the page was opened is shown there, and accepted there', async () => {
    const { orderId, path } = await givenCheckout();
    await givenStores(shop, [pizzeria({ fees: { ...FEES, sales_tax_percent: 10 } })]);
    const page = await open(path);
    assert.match(page.text, /Your total changed/);
    assert.equal((await submit(path, { action: 'place', total: totalIn(page) })).status, 303);
    assert.equal((await shop.chargesOf(orderId))[0].amount, Number(totalIn(page)));
    await restore();
  });
  await t.test('409 for an item that sold out, by its name, with the way back', async () => {
    const items = [{ product_id: shop.tokens['Last Slice'] }];
    const { orderId, path } = await givenCheckout({ items, checkout_return_url: BACK });
    const total = totalIn(await open(path));
    await shop.place('Last Slice', { items });
    const reply = await submit(path, { action: 'place', total });
    assert.equal(reply.status, 409);
    assert.match(reply.text, /Last Slice is no longer available\./);
    assert.match(
      reply.text,
      new RegExp(`href="https://app.example.com/thanks\\?cart=7&amp;order_id=${orderId}&amp;status=changed"`),
    );
    assert.doesNotMatch(reply.text, /id="place"/);
    assert.match((await open(path)).text, /Last Slice is no longer available\./);
    assert.equal(await statusOf(orderId), 'unplaced');
    await restore();
  });
  await t.test('409 for too few of an item', async () => {
    const { path } = await givenCheckout({ items: [{ product_id: shop.tokens['Few Left'], quantity: 2 }] });
    const total = totalIn(await open(path));
    await shop.place('Few Left', { items: [{ product_id: shop.tokens['Few Left'], quantity: 2 }] });
    const reply = await submit(path, { action: 'place', total });
    assert.deepEqual([reply.status, /Few Left: only 1 left\./.test(reply.text)], [409, true]);
    await restore();
  });
  await t.test('409 for a store that closed', async () => {
    const { path } = await givenCheckout();
    const total = totalIn(await open(path));
    await givenStores(shop, [pizzeria({ hours: { operational: {} }, scheduling: { enabled: false } })]);
    const reply = await submit(path, { action: 'place', total });
    assert.deepEqual([reply.status, /Test Pizzeria is closed right now\./.test(reply.text)], [409, true]);
    await restore();
  });
  await t.test('409 for a store that sells nothing any more, and for a door that it no longer reaches', async () => {
    const { path } = await givenCheckout();
    await givenStores(shop, [pizzeria({ online_ordering: false })]);
    assert.match((await open(path)).text, /Test Pizzeria isn’t taking orders right now\./);
    await givenStores(shop, [
      pizzeria({ delivery: { enabled: true, party: 'first', radius_miles: 0.01, prep_minutes: [10, 20] } }),
    ]);
    assert.match((await open(path)).text, /Test Pizzeria doesn’t deliver to your address\./);
    await restore();
  });
  await t.test('409 for a taken window', async () => {
    const [slot = ''] = (await shop.slotsOf()).slice(-1);
    const { path } = await givenCheckout({ scheduled_id: slot });
    const page = await open(path);
    assert.match(page.text, /Scheduled for/);
    for (let order = 0; order < 2; order += 1)
      assert.equal(
        (await shop.place('Margherita', { scheduled_id: slot, autofill_selected_options: true })).status,
        200,
      );
    const reply = await submit(path, { action: 'place', total: totalIn(page) });
    assert.deepEqual([reply.status, /The time you chose is no longer available: /.test(reply.text)], [409, true]);
  });
});

const { fees: FEES } = pizzeria() as { fees: object };

test('two tabs, a double click and the API at once place and charge once', async () => {
  for (const guest of [false, true]) {
    const { orderId, path } = await givenCheckout(guest ? { ...GUEST, user_id: 'u1' } : {});
    const typed = guest ? { name: 'Ana', email: 'ana@example.com', phone: '2125550142' } : {};
    const form = { action: 'place', total: totalIn(await open(path)), ...typed };
    const others = guest ? [] : [shop.post('/order/finalize', { order_id: orderId })];
    const replies = await Promise.all([...[1, 2, 3, 4].map(() => submit(path, form)), ...others]);
    const { tracking_link: link, status } = await shop.orderOf(orderId);
    for (const reply of replies.slice(0, 4))
      assert.deepEqual([reply.status, reply.headers.location], [303, link], reply.text);
    assert.deepEqual([status, (await shop.chargesOf(orderId)).length], ['awaiting_confirmation', 1]);
  }
});

test('a cart replaced by the client is shown before placing, and the page never overwrites it', async (t) => {
  await t.test('409 with a message even at the same total; then it is placed', async () => {
    const { orderId, path } = await givenCheckout();
    const seen = await open(path);
    await shop.advance({ seconds: 1 });
    await givenCheckout({ order_id: orderId, user_dropoff_notes: 'Blue door' });
    const stale = await submit(path, { action: 'place', total: totalIn(seen), cart: cartIn(seen) });
    assert.deepEqual([stale.status, await statusOf(orderId)], [409, 'unplaced']);
    assert.match(stale.text, /Your order was changed in the meantime\..*Blue door/s);
    const form = { action: 'place', total: totalIn(stale), cart: cartIn(stale) };
    const replies = await Promise.all([submit(path, form), submit(path, form)]);
    assert.deepEqual(
      [...replies.map(({ status }) => status), await statusOf(orderId)],
      [303, 303, 'awaiting_confirmation'],
    );
  });
  await t.test(
    'replaced after the entries were added: they are added to the new cart before it is placed',
    async () => {
      const { deps } = shop.service;
      const { orderId } = await givenCheckout();
      const order = (await findAnyOrder(deps.db, orderId)) ?? assert.fail();
      const seen: string[] = [];
      const enter = async ({ request }: Order) => {
        if (seen.push(request.customer.dropoffNotes) === 1)
          await givenCheckout({ order_id: orderId, user_dropoff_notes: 'Blue door' });
        return request;
      };
      await placeCheckout(deps, order, enter, order.quote.totalWithTipCents);
      assert.deepEqual([seen, await statusOf(orderId)], [['', 'Blue door'], 'awaiting_confirmation']);
    },
  );
  await t.test('a cart replaced during placing is rejected, or is the cart placed', async () => {
    for (let nth = 0; nth < 6; nth += 1) {
      const guest = { ...GUEST, user_id: 'u1' };
      const { orderId, path } = await givenCheckout(guest);
      const form = { action: 'place', name: 'Ana', email: 'ana@example.com', phone: '2125550142' };
      const placing = submit(path, { ...form, total: totalIn(await open(path)) });
      const items = [{ product_id: shop.tokens.Margherita, quantity: 2, ...L }];
      const replacing = { ...guest, place_order: false, items, order_id: orderId, user_dropoff_notes: 'Blue door' };
      const [, replaced] = await Promise.all([
        placing,
        shop.post('/order/order/v2', orderBody(undefined, shop.card, replacing)),
      ]);
      const { user_dropoff_notes: notes } = await shop.orderOf(orderId);
      assert.equal(notes === 'Blue door', replaced.status === 200, `${replaced.status} ${notes}`);
    }
  });
});

test('the client’s card pays where the page’s card belongs to another user by now', async () => {
  const { orderId, path } = await givenCheckout({ user_id: 'somebody', payment_method_id: undefined });
  const leaving = await submit(path, { action: 'card', total: totalIn(await open(path)) });
  const setup = new URL(/content="0; url=([^"]+)"/.exec(leaving.text)?.[1] ?? '').pathname;
  await submit(setup, { card_number: '5555555555554444', expiration: '12/40', cvc: '123' });
  assert.match((await open(path)).text, /Mastercard ending in 4444/);
  await givenCheckout({ order_id: orderId });
  const page = await open(path);
  assert.match(page.text, /Visa ending in 4242/);
  assert.equal((await submit(path, { action: 'place', total: totalIn(page), cart: cartIn(page) })).status, 303);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});

test('a used link gives the key of the order’s page only to forms sent again right after the placing', async () => {
  for (const back of [undefined, BACK]) {
    const { orderId, path } = await givenCheckout({ checkout_return_url: back });
    const form = { action: 'place', total: totalIn(await open(path)) };
    const placed = await submit(path, form);
    const led = async () =>
      [await submit(path, form), await open(`${path}/approved`)].map(({ headers }) => headers.location);
    assert.deepEqual(await led(), [placed.headers.location, placed.headers.location]);
    await shop.advance({ minutes: 11 });
    assert.deepEqual(
      await led(),
      back === undefined ? [undefined, undefined] : [placed.headers.location, placed.headers.location],
    );
    const used = await submit(path, form);
    if (back === undefined) assert.match(used.text, new RegExp(`/tracking\\?tracking_id=${orderId}"`));
  }
});

test('of two tabs with other tips one is placed, at the total that its customer has seen', async () => {
  const { orderId, path } = await givenCheckout();
  const seen = await open(path);
  await submit(path, { action: 'tip-900', total: totalIn(seen) });
  const stale = await submit(path, { action: 'place', total: totalIn(seen) });
  assert.deepEqual([stale.status, await statusOf(orderId)], [409, 'unplaced']);
  assert.equal((await submit(path, { action: 'place', total: totalIn(await open(path)) })).status, 303);
  assert.equal((await shop.chargesOf(orderId)).length, 1);
});

test('a declined card charges nothing, and another card pays', async () => {
  const declined = await givenPaymentMethod(shop, '4000000000009995');
  const { orderId, path } = await givenCheckout({ payment_method_id: declined });
  const reply = await submit(path, { action: 'place', total: totalIn(await open(path)) });
  assert.equal(reply.status, 402);
  assert.match(reply.text, /Your card has insufficient funds\. You haven’t been charged\./);
  assert.match(reply.text, /Use another card/);
  assert.equal(await statusOf(orderId), 'unplaced');
});

test('a card with 3-D Secure is approved at the bank, and the customer returns to a placed order', async (t) => {
  const asks = await givenPaymentMethod(shop, '4000002500003155');
  const challenged = async () => {
    const opened = await givenCheckout({ payment_method_id: asks, checkout_return_url: BACK });
    const reply = await submit(opened.path, { action: 'place', total: totalIn(await open(opened.path)) });
    assert.deepEqual([reply.status, titleOf(reply)], [402, 'Confirm with your bank']);
    return {
      ...opened,
      bank: new URL(/href="([^"]*\/payment\/authenticate\/[^"]*)"/.exec(reply.text)?.[1] ?? '').pathname,
    };
  };
  await t.test('approved', async () => {
    const { orderId, path, bank } = await challenged();
    const back = await submit(bank, { answer: 'approve' });
    assert.deepEqual([back.status, back.headers.location], [303, `${shop.config.trackingUrl}${path}/approved`]);
    const done = await open(`${path}/approved`);
    assert.deepEqual([done.status, done.headers.location], [303, `${BACK}&order_id=${orderId}&status=placed`]);
    assert.deepEqual((await open(`${path}/approved`)).headers.location, done.headers.location);
    assert.equal((await shop.chargesOf(orderId)).length, 1);
  });
  await t.test('approved, and replaced by the client at that moment: the new cart is not charged', async () => {
    const { orderId, bank } = await challenged();
    assert.equal((await submit(bank, { answer: 'approve' })).status, 303);
    const { deps } = shop.service;
    const waiting = (await findAnyOrder(deps.db, orderId)) ?? assert.fail();
    await givenCheckout({ order_id: orderId, user_dropoff_notes: 'Blue door' });
    await assert.rejects(continueCheckout(deps, waiting), { code: 'quote_changed' });
    assert.equal(await statusOf(orderId), 'unplaced');
  });
  await t.test('not approved: nothing is charged, and the page says so', async () => {
    const { orderId, path, bank } = await challenged();
    assert.equal((await submit(bank, { answer: 'fail' })).status, 303);
    const back = await open(`${path}/approved`);
    assert.equal(back.status, 402);
    assert.match(back.text, /Your bank didn’t approve the payment\./);
    assert.equal(await statusOf(orderId), 'unplaced');
    assert.equal((await open(`${path}/approved`)).headers.location, path, 'a reload charges nothing again');
  });
});

test('the page uses the language of ?lang=, then the order’s, then the browser’s', async () => {
  const { path } = await givenCheckout({ user_language: 'es-MX' });
  const inLanguage = async (query: string, accepted = 'fr-CA,en;q=0.8') => {
    const reply = await open(`${path}${query}`, { 'accept-language': accepted });
    return [reply.headers['content-language'], /<html lang="(\w+)"/.exec(reply.text)?.[1], titleOf(reply)];
  };
  assert.deepEqual(await inLanguage('?lang=fr-CA'), ['fr', 'fr', 'Votre commande chez Test Pizzeria']);
  assert.deepEqual(await inLanguage(''), ['es', 'es', 'Tu pedido de Test Pizzeria']);
  const plain = (await givenCheckout()).path;
  const reply = await open(plain, { 'accept-language': 'fr' });
  assert.deepEqual([reply.headers['content-language'], titleOf(reply)], ['fr', 'Votre commande chez Test Pizzeria']);
  const submitted = await submit(`${plain}?lang=es`, { action: 'tip-500', total: totalIn(reply) });
  assert.equal(submitted.headers.location, `${plain}?lang=es#chosen-tip`);
});

test('an uncharged order is placed without a card', async () => {
  const { orderId, path } = await givenCheckout({ charge_user: false, payment_method_id: undefined });
  const page = await open(path);
  assert.doesNotMatch(page.text, /id="card"/);
  assert.equal((await submit(path, { action: 'place', total: totalIn(page) })).status, 303);
  assert.deepEqual([await statusOf(orderId), (await shop.chargesOf(orderId)).length], ['awaiting_confirmation', 0]);
});

test('a pickup has no tip, and says where and when', async () => {
  const { path } = await givenCheckout({ pickup: true });
  const { text } = await open(path);
  assert.doesNotMatch(text, /id="tip"/);
  assert.match(text, /Pick up at<\/dt><dd>120 5th Ave, New York, NY/);
  assert.match(text, /Ready in<\/dt><dd>10–20 min/);
});

test('a customer repeats an ended order at current prices, without discontinued items', async (t) => {
  const items = [{ product_id: shop.tokens.Margherita, quantity: 2, ...L }, { product_id: shop.tokens['Few Left'] }];
  const placed = await shop.place('Margherita', { items, user_dropoff_notes: 'gate code 7531' });
  const orderId = placed.body.order_id;
  const link = new URL(placed.body.tracking_link);
  const query = Object.fromEntries(link.searchParams) as Record<string, string>;
  const ask = () => open(`/checkout/again${link.search}`);
  await t.test('404 before its end, and no link to it', async () => {
    assert.equal((await ask()).status, 404);
    assert.equal((await submit('/checkout/again', query)).status, 404);
    assert.doesNotMatch((await open(`/tracking${link.search}`)).text, /id="reorder"/);
  });
  for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete']) await shop.step(orderId, event);
  await t.test('the order’s page leads to it', async () => {
    const { text } = await open(`/tracking${link.search}`);
    assert.match(
      text,
      new RegExp(`id="reorder" class="action main" href="checkout/again\\?tracking_id=${orderId}&amp;key=`),
    );
    const challenged = await ask();
    assert.deepEqual([challenged.status, titleOf(challenged)], [200, 'Order this again?']);
    assert.match(challenged.text, /href="\?tracking_id=[\w-]+&amp;key=[\w-]+&amp;lang=fr"/);
  });
  await t.test('404 without the customer’s key; another site’s form is refused', async () => {
    const { tracking_id } = query;
    assert.equal((await open(`/checkout/again?tracking_id=${tracking_id}`)).status, 404);
    assert.equal((await submit('/checkout/again', { tracking_id: tracking_id ?? '' })).status, 404);
    assert.equal((await submit('/checkout/again', query, { origin: 'https://evil.example' })).status, 403);
  });
  await t.test('unavailable items are left out and named; the first order’s card and address stay hidden', async () => {
    await givenStores(shop, [pizzeria({ fees: { ...FEES, sales_tax_percent: 10 }, categories: WITHOUT_SPECIALS })]);
    const again = await submit('/checkout/again', query);
    assert.equal(again.status, 303);
    const path = new URL(String(again.headers.location)).pathname;
    assert.equal(
      (await submit('/checkout/again', query)).headers.location,
      again.headers.location,
      'sent twice, it is one order',
    );
    const page = await open(path);
    assert.match(page.text, /Left out of this order \(not available right now\): Few Left\./);
    assert.match(page.text, /Margherita/);
    assert.match(page.text, /Add a card/);
    assert.doesNotMatch(page.text, /10 W 21st|10010|Customer|7531|u1@example\.com|4242/);
    await givenStores(shop, [pizzeria()]);
  });
  await t.test('409 while the store is closed, by its name', async () => {
    const other = await shop.place('Soda', { items: [{ product_id: shop.tokens.Soda, quantity: 4 }] });
    for (const event of ['confirm', 'assign_driver', 'pick_up', 'complete'])
      await shop.step(other.body.order_id, event);
    await givenStores(shop, [pizzeria({ online_ordering: false })]);
    const form = Object.fromEntries(new URL(other.body.tracking_link).searchParams) as Record<string, string>;
    const reply = await submit('/checkout/again', form);
    assert.deepEqual([reply.status, titleOf(reply)], [409, 'You can’t order this again right now']);
    assert.match(reply.text, /Test Pizzeria isn’t taking orders right now\./);
    await givenStores(shop, [pizzeria()]);
  });
  await t.test('an uncharged order is not repeated', async () => {
    const free = await shop.place('Margherita', { items, charge_user: false });
    for (const event of ['confirm', 'cancel']) await shop.step(free.body.order_id, event);
    assert.equal((await open(`/checkout/again${new URL(free.body.tracking_link).search}`)).status, 404);
  });
});

const WITHOUT_SPECIALS = (pizzeria() as { categories: { id: string }[] }).categories.filter(
  ({ id }) => id !== 'specials',
);

test('the page is at the account’s host in its brand, and a host shows no order of another account', async (t) => {
  const host = 'track.pizza.example';
  const { db, trackingSites } = shop.service.deps;
  const changes = {
    displayName: 'Pizza & Palace',
    trackingHost: host,
    color: '#7a1fa2',
    termsUrl: 'https://pizza.example/terms',
  };
  await saveBranding(db, shop.accountId, changes, shop.now());
  await db.updateTable('brandings').set({ trackingHostVerifiedAt: shop.now().toString() }).execute();
  await trackingSites.refresh();
  t.after(async () => {
    await saveBranding(db, shop.accountId, { trackingHost: null }, shop.now());
    await trackingSites.refresh();
  });
  const { orderId, path } = await givenCheckout();
  const url = new URL((await shop.orderOf(orderId)).checkout_url);
  assert.equal(url.hostname, host);
  const page = await open(path, { host });
  assert.equal(page.status, 200);
  assert.match(page.text, /Pizza &amp; Palace/);
  assert.match(page.text, /href="https:\/\/pizza\.example\/terms"/);
  assert.match(page.text, /\/tracking\/colors\/7a1fa2\.css/);
  assert.doesNotMatch(page.text, /Doorstep/);
  const form = { action: 'place', total: totalIn(page) };
  assert.equal((await submit(path, form, { host, origin: 'http://localhost:8080' })).status, 403);
  const other = await shop.givenClient();
  const theirs = await other.post(
    '/order/order/v2',
    orderBody(shop.tokens.Margherita, null, { place_order: false, autofill_selected_options: true, user_id: 'x' }),
  );
  assert.equal((await open(new URL(theirs.body.checkout_url).pathname, { host })).status, 404);
  const placed = await submit(path, form, { host, origin: url.origin });
  assert.deepEqual([placed.status, new URL(String(placed.headers.location)).host], [303, url.host]);
});

test('a flood is refused without a look-up: in the language of the browser, and under the account’s host', async (t) => {
  const app = await givenApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
  t.after(app.close);
  const { db, trackingSites } = app.service.deps;
  await saveBranding(db, app.accountId, { displayName: 'Pizza', trackingHost: 'track.pizza.example' }, app.now());
  await db.updateTable('brandings').set({ trackingHostVerifiedAt: app.now().toString() }).execute();
  await trackingSites.refresh();
  const ask = async (host: string) => {
    const headers = { host, 'accept-language': 'es-MX,es;q=0.9' };
    const { statusCode, body } = await app.service.http.inject({
      url: '/checkout/unknown',
      headers,
      remoteAddress: '93.184.216.34',
    });
    return { status: statusCode, text: body };
  };
  for (let visit = 0; visit < 3; visit += 1) assert.equal((await ask('localhost')).status, 404);
  const refused = await ask('track.pizza.example');
  assert.equal(refused.status, 429);
  assert.match(refused.text, /<html lang="es">/);
  assert.match(refused.text, /<h1>Demasiados intentos<\/h1>/);
  assert.match(refused.text, /<a class="brand" href="\/" rel="noreferrer">track\.pizza\.example<\/a>/);
  assert.doesNotMatch(refused.text, /Doorstep/);
  assert.match((await ask('localhost')).text, /<span class="brand">Doorstep<\/span>/);
});
