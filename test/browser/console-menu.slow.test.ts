import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { MAX_PHOTO_BYTES } from '../../src/supply/photos/photo.ts';
import { freePort } from '../given/command.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenStoreKey } from '../given/merchant.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { assertAccessible, assertFits } from './accessible.ts';
import { givenBrowser } from './browser.ts';
import { openConsole } from './open-console.ts';

const LOOKS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desk: { width: 1440, height: 900 },
} as const;
const DOOR = { user_latitude: 40.744, user_longitude: -73.988 };

let app: App;
let kitchen: Kitchen;
let url: string;
before(async () => {
  const port = await freePort();
  // The page shows the photos that BASE_URL serves.
  app = await givenApp({ env: { PORT: port, BASE_URL: `http://127.0.0.1:${port}` } });
  kitchen = await givenKitchen(app);
  url = await app.service.listen();
});
after(() => app.close());

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
async function inventory() {
  await app.catchUp();
  const { body } = await kitchen.client.get('/details/inventory', { store_id: kitchen.storeId, pickup: true, ...DOOR });
  return body.categories;
}

async function shown(): Promise<string[]> {
  return (await inventory()).flatMap((one: { menu_item_list: { name: string }[] }) =>
    one.menu_item_list.map(({ name }) => name),
  );
}

/** Pixels of the width once the picture is decoded. */
const seenWidth = (image: Locator) =>
  image.evaluate((it) =>
    Reflect.get(it, 'decode')
      .call(it)
      .then(() => Reflect.get(it, 'naturalWidth')),
  );

/** Types text and counts its keys. */
function typist(page: Page) {
  let keys = 0;
  return {
    keys: () => keys,
    async type(text: string) {
      keys += text.length;
      await page.keyboard.insertText(text);
    },
    async press(key: string) {
      keys += 1;
      await page.keyboard.press(key);
    },
  };
}

test('an item that the feed changed under an edit is marked, until the store has it as the feed has it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const key = await givenStoreKey(app, kitchen.storeId);
  const { version } = (await key.get('/store/menu/items/knots')).body;
  const edit = { category_id: 'more', version, item: { name: 'Garlic knots, dozen', price: 1100 } };
  assert.equal((await key.put('/store/menu/items/knots', edit)).status, 200);
  await sql`update menu_edits set feed_changed = true where external_id = 'knots'`.execute(app.service.deps.db);
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByText('Your feed changed this').waitFor();
  await press(page, 'Edit Garlic knots, dozen');
  await page.getByText('Your feed changed this').waitFor();
  await press(page, 'Use your feed’s version');
  await page.getByText('Garlic knots, six', { exact: true }).waitFor();
  assert.equal(await page.getByText('Your feed changed this').count(), 0);
  assert.ok((await shown()).includes('Garlic knots, six'));
  assert.deepEqual(faults, []);
  await close();
});

test('a menu is typed by the keyboard: Enter saves an item and opens the next, and customers see it at once', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByLabel('New category', { exact: true }).fill('Lunch');
  await page.keyboard.press('Enter');
  await press(page, 'Add item to Lunch');
  const keyboard = typist(page);
  for (let n = 1; n <= 5; n += 1) {
    await until('the name has the focus', () =>
      page.getByLabel('Name', { exact: true }).evaluate((it) => it === it.ownerDocument.activeElement),
    );
    await keyboard.type(`Bowl ${n}`);
    await keyboard.press('Tab');
    await keyboard.type('12.50');
    await keyboard.press('Enter');
    await page.getByText(`Saved: Bowl ${n}`).waitFor();
    await until('the form is empty', async () => (await page.getByLabel('Name', { exact: true }).inputValue()) === '');
  }
  t.diagnostic(`five items: ${keyboard.keys()} keys, ${keyboard.keys() / 5} an item`);
  assert.ok(keyboard.keys() <= 5 * ('Bowl 1'.length + '12.50'.length + 2), 'beside its texts an item takes two keys');
  assert.deepEqual(
    (await shown()).slice(-5),
    [1, 2, 3, 4, 5].map((n) => `Bowl ${n}`),
  );
  await press(page, 'Back');
  await page.getByRole('button', { name: 'Move Bowl 2' }).press('ArrowUp');
  await page.getByText('New order saved').waitFor();
  assert.deepEqual((await shown()).slice(-5, -3), ['Bowl 2', 'Bowl 1']);
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await page.getByText('Undone').waitFor();
  assert.deepEqual((await shown()).slice(-5, -3), ['Bowl 1', 'Bowl 2']);
  assert.deepEqual(faults, []);
  await close();
});

test('an item is sold by weight, then by the piece again, and what the form does not show stays', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: LOOKS.tablet });
  const key = await givenStoreKey(app, kitchen.storeId);
  const item = async () => (await key.get('/store/menu/items/caesar')).body;
  const edit = async (shown: string, change: () => Promise<unknown>) => {
    await press(page, 'Edit Caesar salad');
    await change();
    await press(page, 'Save');
    // The menu has been read again.
    await page.getByText(shown, { exact: true }).waitFor();
  };
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await edit('$8.99/lb', async () => {
    await page.getByRole('combobox', { name: 'Sold' }).selectOption('lb');
    await page.getByLabel('Price for 1 lb', { exact: true }).fill('8.99');
    await page.getByLabel('Sold in steps of (lb)', { exact: true }).fill('0,5');
    await page.getByLabel('May weigh more than ordered, in percent', { exact: true }).fill('15');
    await page.getByLabel('Number on labels of your scale', { exact: true }).fill('00077');
    await assertFits(page, 'goods by weight');
    await assertAccessible(page, 'goods by weight');
  });
  const weight = { unit: 'lb', price_per: 1, step: 0.5, min: 0.5, max: 50, tolerance_percent: 15, scale_code: '77' };
  assert.deepEqual([(await item()).price, (await item()).weight], [899, weight]);
  await edit('$9.49/lb', () => page.getByLabel('Price for 1 lb', { exact: true }).fill('9.49'));
  assert.deepEqual((await item()).weight, weight);
  await edit('$9.49', () => page.getByRole('combobox', { name: 'Sold' }).selectOption(''));
  assert.deepEqual([(await item()).weight, (await item()).unit_size], [undefined, null]);
  assert.deepEqual(faults, []);
  await close();
});

test('nested options are typed, copied to another item, and seen in the preview and the history', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), { viewport: LOOKS.tablet });
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByLabel('New category', { exact: true }).fill('Drinks of the house');
  await page.keyboard.press('Enter');
  await press(page, 'Add item to Drinks of the house');
  await page.getByLabel('Name', { exact: true }).fill('Lemonade');
  await page.getByLabel('Price', { exact: true }).fill('4.5');
  await press(page, 'Add option group');
  await page.getByLabel('Group name').fill('Size');
  await page.getByLabel('Option', { exact: true }).fill('Small');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Large');
  await page.getByLabel('Extra').nth(1).fill('1.25');
  await press(page, 'Add choices for Large');
  await page.getByLabel('Group name').nth(1).fill('Ice');
  await page.getByLabel('Option', { exact: true }).nth(2).fill('No ice');
  await press(page, 'Save and add another');
  await page.getByText('Saved: Lemonade').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Iced tea');
  await page.getByLabel('Price', { exact: true }).fill('4');
  await page.getByLabel('Copy options from another item').selectOption({ label: 'Lemonade' });
  await press(page, 'Save and close');
  await page.getByText('Saved: Iced tea').waitFor();
  await press(page, 'Preview');
  await page.getByRole('dialog').getByText('Iced tea').waitFor();
  assert.match(await page.getByRole('dialog').innerText(), /Iced tea\s+\$4\.00[\s\S]*Large \+\$1\.25[\s\S]*No ice/);
  await assertAccessible(page, 'the preview');
  await page.keyboard.press('Escape');
  await press(page, 'History');
  await page.getByText('Added: Iced tea').waitFor();
  await assertAccessible(page, 'the history');
  await page.getByRole('button', { name: 'Undo: Iced tea' }).first().click();
  await page.getByText('Undone: Iced tea').waitFor();
  assert.equal((await shown()).includes('Iced tea'), false);
  assert.deepEqual(faults, []);
  await close();
});

test('a photo is chosen, seen, replaced, removed and undone in the form, and customers see it', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const touched = { viewport: LOOKS.tablet, hasTouch: true };
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite(), touched);
  const choose = async (name: string, buffer: Buffer) =>
    page.getByLabel('Replace photo').or(page.getByLabel('Choose photo')).setInputFiles({ name, mimeType: '', buffer });
  const formPhoto = () => page.getByRole('img', { name: 'Photo of Margherita' });
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await press(page, 'Edit Margherita');
  assert.equal(await page.getByLabel('Take photo').getAttribute('capture'), 'environment');
  await choose('notes.pdf', Buffer.from('%PDF-1.7'));
  await page.getByText('We can’t use this file. Choose a JPEG, PNG or WebP photo').waitFor();
  await choose('poster.jpg', Buffer.alloc(MAX_PHOTO_BYTES + 1));
  await page.getByText('This photo is larger than 10 MB').waitFor();
  await assertAccessible(page, 'a refused photo');
  faults.length = 0; // The browser logs the refusal.

  await choose('pie.jpg', await givenPhoto());
  await page.getByLabel('Description').fill('Typed during the upload');
  await formPhoto().waitFor();
  assert.equal(await seenWidth(formPhoto()), 320);
  const first = await formPhoto().getAttribute('src');
  await choose('pie.png', await givenPhoto('png', 96, 64));
  await until('the other photo is shown', async () => (await formPhoto().getAttribute('src')) !== first);
  await press(page, 'Save');
  const row = page.locator('.menu-item').filter({ hasText: 'Margherita' });
  assert.equal(await seenWidth(row.locator('img')), 96);
  await press(page, 'Preview');
  assert.equal(await seenWidth(page.getByRole('dialog').locator('img')), 96);
  await page.keyboard.press('Escape');
  const shownPhoto = async () => {
    const { menu_item_list: items } = (await inventory())[0];
    const { description, image, thumbnail_image } = items.find(({ name }: { name: string }) => name === 'Margherita');
    return { description, image, thumbnail_image };
  };
  const photo = await shownPhoto();
  assert.equal(photo.description, 'Typed during the upload');
  assert.match(photo.image, /\/photos\/[\w-]+\/large\.webp$/);
  assert.match(photo.thumbnail_image, /\/photos\/[\w-]+\/small\.webp$/);

  await press(page, 'Edit Margherita');
  await page.getByRole('button', { name: 'Remove photo' }).focus();
  await page.keyboard.press('Enter');
  await formPhoto().waitFor({ state: 'detached' });
  assert.ok(await page.getByLabel('Choose photo').evaluate((it) => it === it.ownerDocument.activeElement));
  await press(page, 'Save');
  await until('customers see none', async () => (await shownPhoto()).image === undefined);
  await press(page, 'History');
  await page.getByRole('dialog').getByText('· Photo', { exact: false }).first().waitFor();
  assert.doesNotMatch(await page.getByRole('dialog').innerText(), /https?:/);
  await page.getByRole('button', { name: 'Undo: Margherita' }).first().click();
  await page.getByText('Undone: Margherita').waitFor();
  assert.deepEqual(await shownPhoto(), photo);
  assert.deepEqual(faults, []);
  await close();
});

test('options are sorted by the arrow keys and by dragging, and food facts are typed', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, faults, close } = await openConsole(browser, url, await kitchen.invite());
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Margherita' }).click();
  const typed = (label: string) =>
    page
      .getByLabel(label, { exact: true })
      .evaluateAll((fields) => fields.map((field) => (field as unknown as { value: string }).value));
  const names = () => typed('Option');
  const [thin, pan, stuffed, olives, chili] = [
    'Thin crust',
    'Deep pan',
    'Stuffed with mozzarella',
    'Kalamata olives',
    'Calabrian chili',
  ];
  await page.getByLabel('Option', { exact: true }).nth(4).waitFor();
  assert.deepEqual(await names(), [thin, pan, stuffed, olives, chili]);
  const handle = page.getByRole('button', { name: 'Move Calabrian chili' });
  await handle.press('ArrowUp');
  assert.deepEqual(await names(), [thin, pan, stuffed, chili, olives]);
  assert.deepEqual((await typed('Extra')).slice(-2), ['1.00', '1.50'], 'prices move with their options');
  assert.ok(await handle.evaluate((it) => it === it.ownerDocument.activeElement), 'the handle keeps the focus');
  await dragTo(page, 'Move Thin crust', 'Move Deep pan');
  assert.deepEqual(await names(), [pan, stuffed, thin, chili, olives]);
  await page.getByText('Pickup price, hours and food facts').click();
  await page.getByRole('group', { name: 'May contain traces of' }).getByLabel('sesame').check();
  await page.getByLabel('Calories').fill('870');
  await page.getByLabel('Sodium (mg)').fill('1250');
  await press(page, 'Save');
  await page.getByText('Saved: Margherita').waitFor();
  const store = await givenStoreKey(app, kitchen.storeId);
  const [margherita] = (await store.get('/store/menu/items', { category_id: 'pies' })).body.items;
  const [crust, toppings] = margherita.customizations;
  assert.deepEqual(
    [crust, toppings].map(({ options }: { options: { id: string }[] }) => options.map(({ id }) => id)),
    [
      ['pan', 'thin'],
      ['hot', 'olives'],
    ],
  );
  const { may_contain: traces, nutrition } = margherita.food;
  assert.deepEqual(
    [traces, nutrition.calories, nutrition.sodium, nutrition.fat],
    [['tree_nuts', 'sesame'], 870, 1.25, null],
  );
  await dragTo(page, 'Move Diavola', 'Move Margherita');
  await page.locator('.menu-item').first().getByText('Diavola').waitFor();
  assert.equal((await shown())[0], 'Diavola');
  await page.getByRole('button', { name: 'Move Margherita' }).press('ArrowDown');
  await page.locator('.menu-item').nth(2).getByText('Margherita').waitFor();
  assert.equal((await shown())[2], 'Margherita');
  assert.deepEqual(faults, []);
  await close();
});

/** Drags one handle to the place of another. */
async function dragTo(page: Page, from: string, to: string): Promise<void> {
  const handles = [from, to].map((name) => page.getByRole('button', { name, exact: true }));
  for (const handle of handles) await handle.scrollIntoViewIfNeeded();
  const [start, end] = await Promise.all(
    handles.map(async (handle) => {
      const { x, y, width, height } = (await handle.boundingBox()) ?? assert.fail('no handle');
      return [x + width / 2, y + height / 2] as const;
    }),
  );
  assert.ok(start && end);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(end[0], (start[1] + end[1]) / 2);
  await page.mouse.move(...end);
  await page.mouse.up();
}

test('the menu, its form and the photos of a store fit a phone, a tablet and a desk, and axe finds nothing', async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const { page, close } = await openConsole(browser, url, await kitchen.invite());
  const review = async (name: string) => {
    for (const [look, viewport] of Object.entries(LOOKS)) {
      await page.setViewportSize(viewport);
      await assertFits(page, `${name} on a ${look}`);
    }
    await assertAccessible(page, name);
  };
  await page.getByRole('link', { name: 'Menu', exact: true }).click();
  await press(page, 'More: Margherita');
  await page.getByRole('button', { name: 'Duplicate Margherita' }).waitFor();
  await review('menu');
  await page.getByRole('button', { name: 'Edit Margherita' }).click();
  await page.getByLabel('Name', { exact: true }).waitFor();
  await page.getByText('Pickup price, hours and food facts').click();
  await review('menu-item');
  await page.getByRole('link', { name: 'Store', exact: true }).click();
  const logo = page.getByRole('group', { name: 'Logo' });
  const photo = { name: 'logo.png', mimeType: 'image/png', buffer: await givenPhoto('png', 64, 64) };
  await logo.locator('input').first().setInputFiles(photo);
  await page.getByText('Photos saved').waitFor();
  assert.equal(await seenWidth(logo.getByRole('img', { name: 'Logo' })), 64);
  await review('store');
  await logo.getByRole('button', { name: 'Remove photo' }).click();
  await logo.getByRole('img').waitFor({ state: 'detached' });
  await close();
});
