// covers: web/console/**, web/*.{ts,tsx}
import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { MAX_PHOTO_BYTES } from '../../src/supply/photos/photo.ts';
import { givenKitchen, type Kitchen } from '../given/kitchen.ts';
import { givenBareStore, givenStoreKey } from '../given/merchant.ts';
import type { Page } from '../given/page.ts';
import { givenPhoto } from '../given/photo.ts';
import { type App, type Client, done, givenApp } from '../harness.ts';
import { until } from '../until.ts';
import { attach, focus, intercept, openConsole, tap, valueIn } from './open-console.ts';

const DOOR = { user_latitude: 40.744, user_longitude: -73.988 };

let app: App;
let kitchen: Kitchen;
let store: Client;
let url: string;
before(async () => {
  app = await givenApp();
  kitchen = await givenKitchen(app);
  store = await givenStoreKey(app, kitchen.storeId);
  url = await app.service.listen();
});
after(() => app.close());

async function openMenu(t: TestContext, code?: string): Promise<Page> {
  const page = await openConsole(t, url, code ?? (await kitchen.invite()));
  await page.press('Menu');
  await page.find('field', 'New category');
  return page;
}

type Shown = { name: string; image?: string; thumbnail_image?: string; description?: string };
/** The items that customers see. */
async function shown(): Promise<Shown[]> {
  await app.catchUp();
  const { body } = await kitchen.client.get('/details/inventory', { store_id: kitchen.storeId, pickup: true, ...DOOR });
  return body.categories.flatMap((one: { menu_item_list: Shown[] }) => one.menu_item_list);
}
const names = async () => (await shown()).map(({ name }) => name);

const hasFocus = async (page: Page, role: 'field' | 'control', name: string) =>
  (await page.find(role, name)) === page.window().document.activeElement;
const isOn = async (page: Page, name: string) =>
  (await page.find('field', name)).getAttribute('aria-checked') === 'true';
const hasSwitch = (page: Page, name: string, on: boolean) =>
  until(`${name} is ${on}`, async () => (await isOn(page, name)) === on);

test('an item changed by the feed after an edit is marked until the store takes the feed’s version', async (t) => {
  const { version } = await done(store.get('/store/menu/items/knots'));
  const edit = { category_id: 'more', version, item: { name: 'Garlic knots, dozen', price: 1100 } };
  await done(store.put('/store/menu/items/knots', edit));
  await sql`update menu_edits set feed_changed = true where external_id = 'knots'`.execute(app.service.deps.db);
  const page = await openMenu(t);
  await page.shows('Your feed changed this');
  await page.press('Edit Garlic knots, dozen');
  await page.shows('Your feed changed this');
  await page.press('Use your feed’s version');
  await page.find('control', 'Edit Garlic knots, six');
  await page.hides('Your feed changed this');
  assert.ok((await names()).includes('Garlic knots, six'));
});

test('Enter saves an item and opens the next, customers see it at once, and items are moved and moved back', async (t) => {
  const page = await openMenu(t);
  await page.fill('New category', 'Lunch');
  await page.key('Enter');
  await page.press('Add item to Lunch');
  for (const bowl of ['Bowl 1', 'Bowl 2', 'Bowl 3']) {
    await until('the name has the focus', () => hasFocus(page, 'field', 'Name'));
    await page.fill('Name', bowl);
    await page.fill('Price', '12.50');
    await page.key('Enter');
    await page.shows(`Saved: ${bowl}`);
    await until('the form is empty', async () => (await valueIn(page, 'Name')) === '');
  }
  assert.deepEqual((await names()).slice(-3), ['Bowl 1', 'Bowl 2', 'Bowl 3']);
  await page.press('Back');
  await page.settled();
  await focus(page, 'control', 'Move Bowl 2');
  await page.key('ArrowUp');
  await page.shows('Menu rearranged');
  assert.deepEqual((await names()).slice(-3, -1), ['Bowl 2', 'Bowl 1']);
  await page.in('.toast').press('Undo');
  await page.shows('Undone');
  assert.deepEqual((await names()).slice(-3, -1), ['Bowl 1', 'Bowl 2']);
});

test('an item is sold by weight, then by the piece again, and fields hidden from the form stay', async (t) => {
  const page = await openMenu(t);
  const item = async () => done(store.get('/store/menu/items/caesar'));
  const edit = async (price: string, change: () => Promise<unknown>) => {
    await page.press('Edit Caesar salad');
    await change();
    await page.press('Save');
    // The menu has been read again.
    await page.in('.menu-category', 1).shows(new RegExp(`\\${price}$`, 'm'));
  };
  await edit('$8.99/lb', async () => {
    await page.choose('Sold', 'By weight, in lb');
    await page.fill('Price for 1 lb', '8.99');
    await page.fill('Sold in steps of (lb)', '0,5');
    await page.fill('May weigh more than ordered, in percent', '15');
    await page.fill('Number on labels of your scale', '00077');
  });
  const weight = { unit: 'lb', price_per: 1, step: 0.5, min: 0.5, max: 50, tolerance_percent: 15, scale_code: '77' };
  assert.deepEqual([(await item()).price, (await item()).weight], [899, weight]);
  await edit('$9.49/lb', () => page.fill('Price for 1 lb', '9.49'));
  assert.deepEqual((await item()).weight, weight);
  await edit('$9.49', () => page.choose('Sold', 'By the piece'));
  assert.deepEqual([(await item()).weight, (await item()).unit_size], [undefined, null]);
});

test('nested options are typed, copied to another item, and shown in the preview and the history', async (t) => {
  const page = await openMenu(t);
  await page.fill('New category', 'Drinks of the house');
  await page.key('Enter');
  await page.press('Add item to Drinks of the house');
  await page.fill('Name', 'Lemonade');
  await page.fill('Price', '4.5');
  await page.press('Add option group');
  await page.fill('Group name', 'Size');
  await page.fill('Option', 'Small');
  await page.key('Enter');
  await page.fill('Option', 'Large', 1);
  await page.fill('Extra', '1.25', 1);
  await page.press('Add choices for Large');
  await page.fill('Group name', 'Ice', 1);
  await page.fill('Option', 'No ice', 2);
  await page.press('Save and add another');
  await page.shows('Saved: Lemonade');
  await page.fill('Name', 'Iced tea');
  await page.fill('Price', '4');
  await page.choose('Copy options from another item', 'Lemonade');
  await page.press('Save and close');
  await page.shows('Saved: Iced tea');
  await page.press('Preview');
  await page.dialog('Preview').shows(/Iced tea\s+\$4\.00[\s\S]*Large \+\$1\.25[\s\S]*No ice/);
  await page.key('Escape');
  await page.press('History');
  await page.shows('Added: Iced tea');
  await page.press('Undo: Iced tea', 0);
  await page.shows('Undone: Iced tea');
  assert.equal((await names()).includes('Iced tea'), false);
});

test('a photo is chosen, replaced, removed and undone in the form, and customers see it', async (t) => {
  const page = await openMenu(t);
  const choose = async (name: string, bytes: Buffer) => attach(page, /^(Choose|Replace) photo$/, name, bytes);
  const photoIn = (within: string) => page.in(within).all('img')[0]?.getAttribute('src') ?? undefined;
  const widthOf = async (address: string | undefined) => {
    const reply = await app.service.http.inject(new URL(address ?? assert.fail('no photo')).pathname);
    return (await sharp(reply.rawPayload).metadata()).width;
  };
  await page.press('Edit Margherita');
  assert.equal((await page.find('field', 'Take photo')).getAttribute('capture'), 'environment');
  await choose('notes.pdf', Buffer.from('%PDF-1.7'));
  await page.shows('We can’t use this file. Choose a JPEG, PNG or WebP photo');
  await choose('poster.jpg', Buffer.alloc(MAX_PHOTO_BYTES + 1));
  await page.shows('This photo is larger than 10 MB');

  await choose('pie.jpg', await givenPhoto());
  await page.fill('Description', 'Typed during the upload');
  await until('the photo is shown', () => photoIn('.photo-field') !== undefined);
  const first = photoIn('.photo-field');
  assert.equal(await widthOf(first), 320);
  await choose('pie.png', await givenPhoto('png', 96, 64));
  await until('the other photo is shown', () => photoIn('.photo-field') !== first);
  const save = await page.find('control', 'Save');
  await until('the upload has ended', () => save.getAttribute('aria-disabled') === 'false');
  await page.press('Save');
  await until('the menu has the photo', () => page.all('.menu-item img').length === 1);
  assert.equal(await widthOf(photoIn('.menu-item')), 96);
  await page.press('Preview');
  await until('the preview has the photo', () => photoIn('dialog') !== undefined);
  assert.equal(await widthOf(photoIn('dialog')), 96);
  await page.key('Escape');
  const seen = async () => {
    const { description, image, thumbnail_image } =
      (await shown()).find(({ name }) => name === 'Margherita') ?? assert.fail('no Margherita');
    return { description, image, thumbnail_image };
  };
  const photo = await seen();
  assert.equal(photo.description, 'Typed during the upload');
  assert.match(photo.image ?? '', /\/photos\/[\w-]+\/large\.webp$/);
  assert.match(photo.thumbnail_image ?? '', /\/photos\/[\w-]+\/small\.webp$/);

  await page.press('Edit Margherita');
  await page.press('Remove photo');
  await until('no photo is shown', () => photoIn('.photo-field') === undefined);
  assert.ok(await hasFocus(page, 'field', 'Choose photo'));
  await page.press('Save');
  await until('customers see none', async () => (await seen()).image === undefined);
  await page.press('History');
  await page.dialog('History').shows('· Photo');
  assert.doesNotMatch(page.dialog('History').text(), /https?:/);
  await page.press('Undo: Margherita', 0);
  await page.shows('Undone: Margherita');
  assert.deepEqual(await seen(), photo);
});

test('options and items are sorted by the arrow keys, and food facts are typed', async (t) => {
  const page = await openMenu(t);
  await page.press('Edit Margherita');
  const typed = (label: string) =>
    page
      .all('.menu-option label')
      .filter((one) => one.textContent?.startsWith(label))
      .map((one) => one.querySelector('input')?.value);
  const [thin, pan, stuffed] = ['Thin crust', 'Deep pan', 'Stuffed with mozzarella'];
  const [olives, chili] = ['Kalamata olives', 'Calabrian chili'];
  await page.find('field', 'Option', 4);
  assert.deepEqual(typed('Option'), [thin, pan, stuffed, olives, chili]);
  const move = async (name: string, key: string) => {
    await focus(page, 'control', `Move ${name}`);
    await page.key(key);
    await page.settled();
  };
  await move('Calabrian chili', 'ArrowUp');
  assert.deepEqual(typed('Option'), [thin, pan, stuffed, chili, olives]);
  assert.deepEqual(typed('Extra').slice(-2), ['1.00', '1.50'], 'prices move with their options');
  await move('Thin crust', 'ArrowDown');
  assert.deepEqual(typed('Option'), [pan, stuffed, thin, chili, olives]);
  await page.press('Pickup price, hours and food facts');
  const traces = page.in(
    'fieldset',
    page.all('fieldset').findIndex((one) => one.textContent?.startsWith('May contain')),
  );
  await traces.check('sesame');
  await page.fill('Calories', '870');
  await page.fill('Sodium (mg)', '1250');
  await page.press('Save');
  await page.shows('Saved: Margherita');
  const [margherita] = (await store.get('/store/menu/items', { category_id: 'pies' })).body.items;
  const [crust, toppings] = margherita.customizations;
  assert.deepEqual(
    [crust, toppings].map(({ options }: { options: { id: string }[] }) => options.map(({ id }) => id)),
    [
      ['pan', 'thin'],
      ['hot', 'olives'],
    ],
  );
  const { may_contain: mayContain, nutrition } = margherita.food;
  assert.deepEqual(
    [mayContain, nutrition.calories, nutrition.sodium, nutrition.fat],
    [['tree_nuts', 'sesame'], 870, 1.25, null],
  );
  await move('Margherita', 'ArrowDown');
  await until('Margherita is second', () => page.in('.menu-item', 1).text().includes('Margherita'));
  assert.equal((await names())[1], 'Margherita');
});

test('categories typed one after another are siblings, and More has subcategories, renaming and deleting', async (t) => {
  const { store: bare, code } = await givenBareStore(app);
  const page = await openMenu(t, code);
  for (const name of ['Noodles', 'Drinks']) {
    await page.fill('New category', name);
    await page.key('Enter');
    await page.find('heading', name);
  }
  type Category = { name: string; parent_id: string | null };
  const shape = async () =>
    (await done(bare.get('/store/menu'))).categories.map((one: Category) => [one.name, one.parent_id === null]);
  assert.deepEqual(await shape(), [
    ['Noodles', true],
    ['Drinks', true],
  ]);
  await page.find('control', 'Add item to Noodles');
  await page.press('More: Drinks');
  await page.fill('New category in Drinks', 'Sodas');
  await page.key('Enter');
  await page.find('heading', 'Sodas');
  assert.deepEqual((await shape()).at(-1), ['Sodas', false]);
  await page.press('Rename Drinks');
  await page.fill('Category name', 'Cold drinks');
  await page.key('Enter');
  await page.find('heading', 'Cold drinks');
  await page.press('More: Cold drinks');
  await page.press('Delete Cold drinks');
  await page.shows('Deleted: Cold drinks');
  assert.deepEqual(await shape(), [['Noodles', true]]);
});

test('an item’s form asks for alcohol and begins with a required choice of one, whose maximum follows its minimum', async (t) => {
  const { store: bare, code } = await givenBareStore(app);
  const page = await openMenu(t, code);
  await page.fill('New category', 'Drinks');
  await page.key('Enter');
  await page.press('Add item to Drinks');
  for (const [name, price] of [
    ['House red', '9'],
    ['Lager', '7.5'],
  ] as const) {
    await page.fill('Name', name);
    await page.fill('Price', price);
    await page.check('Contains alcohol');
    await page.press('Add option group');
    assert.equal(await valueIn(page, 'How many may be chosen?'), '1');
    assert.doesNotMatch(page.text(), /Choose at least/);
    await page.choose('How many may be chosen?', 'Another number');
    assert.equal(await valueIn(page, 'At most'), '1');
    await page.fill('Group name', 'Size');
    await page.fill('Option', 'Glass');
    assert.equal(page.all('.menu-option .money')[0]?.getAttribute('data-sign'), '$');
    await page.fill('Choose at least', '2');
    await until('the maximum follows', async () => (await valueIn(page, 'At most')) === '2');
    await page.choose('How many may be chosen?', 'One or none');
    await page.choose('How many may be chosen?', 'Exactly one');
    await page.press('Save and add another');
    await page.shows(`Saved: ${name}`);
    await until('the form is empty', async () => (await valueIn(page, 'Name')) === '');
  }
  const { categories } = await done(bare.get('/store/menu'));
  const { items } = await done(bare.get('/store/menu/items', { category_id: categories[0].category_id }));
  assert.equal(items.length, 2);
  for (const { is_alcoholic: isAlcoholic, customizations } of items) {
    const [{ min_choice_options: min, max_choice_options: max }] = customizations;
    assert.deepEqual([isAlcoholic, min, max], [true, 1, 1]);
  }
});

test('after new items, Back returns the focus to the button that opened the form', async (t) => {
  const { store: bare, code } = await givenBareStore(app);
  for (const name of ['Noodles', 'Drinks']) await done(bare.post('/store/menu/categories', { name }));
  const page = await openMenu(t, code);
  await page.press('Add item to Drinks');
  for (const name of ['Cola', 'Water']) {
    await page.fill('Name', name);
    await page.fill('Price', '2');
    await page.press('Save and add another');
    await page.shows(`Saved: ${name}`);
  }
  await page.press('Back');
  await until('the button has the focus', () => hasFocus(page, 'control', 'Add item to Drinks'));
  await page.find('control', 'Edit Water');
});

test('an item’s name opens it, and an item sold out until tomorrow comes back by itself', async (t) => {
  const { store: bare, code } = await givenBareStore(app);
  const { category } = await done(bare.post('/store/menu/categories', { name: 'Noodles' }));
  const item = { name: 'Singapore mei fun with shrimp', price: 1690 };
  const added = await done(bare.post('/store/menu/items', { category_id: category.category_id, item }));
  const product = async () => (await done(bare.get('/store/products', { query: 'mei' }))).products[0];
  const page = await openMenu(t, code);
  await page.press(`Edit ${item.name}`);
  await page.find('heading', `Edit ${item.name}`);
  await page.press('Back');
  await tap(page, `${item.name} available`);
  const tomorrow = `${item.name} sold out until tomorrow`;
  await page.press(tomorrow);
  await page.shows(/· back .*11:00 AM/);
  assert.equal((await page.find('control', tomorrow)).getAttribute('aria-pressed'), 'true');
  assert.notEqual((await product()).available_at, null);
  await page.press('History');
  await page.shows(/Back on sale – → .*11:00 AM/);
  await page.dialog('History').press('Back');
  await page.press(tomorrow);
  await page.hides(/· back /);
  const { available, available_at: at } = await product();
  assert.deepEqual([available, at], [false, null]);
  await page.press(tomorrow);
  await page.shows(/· back /);
  await app.advance({ hours: 48 });
  const { external_id: id, available: isBack } = await product();
  assert.deepEqual([id, isBack], [added.item.item_id, true]);
});

test('a product and an option are sold out and back with one tap, and a counted product sells no more than is left', async (t) => {
  const page = await openMenu(t);
  await page.press('More: Margherita');
  const options = async () => JSON.stringify((await shown()).find(({ name }) => name === 'Margherita'));
  await tap(page, 'Calabrian chili for Margherita available');
  await page.shows('1 option sold out');
  assert.doesNotMatch(await options(), /Calabrian/);
  await tap(page, 'Calabrian chili for Margherita available');
  await page.hides('1 option sold out');
  assert.match(await options(), /Calabrian/);
  await tap(page, 'Diavola available');
  await hasSwitch(page, 'Diavola available', false);
  assert.equal((await names()).includes('Diavola'), false);
  await page.press('Sold out');
  await until('the filter leaves one product', () => page.all('[role=switch]').length === 1);
  await tap(page, 'Diavola available');
  await hasSwitch(page, 'Diavola available', true);
  assert.equal((await names()).includes('Diavola'), true);
  await page.press('Sold out');
  await page.fill('Search the menu', 'tiram');
  await until('the search leaves one product', () => page.all('[role=switch]').length === 1);
  await page.press('More: Tiramisù');
  await page.fill('How many left: Tiramisù', '2');
  await page.press('Set');
  await page.shows('2 left');
  const order = kitchen.place([{ name: 'Tiramisù', quantity: 3 }], { pickup: true });
  await assert.rejects(order, /product_unavailable/);
});

test('a refused number of units stays in its field and is taken with the next press', async (t) => {
  const page = await openMenu(t);
  await page.press('More: Tiramisù');
  await page.fill('How many left: Tiramisù', '17');
  page.setOffline(true);
  await page.press('Set');
  await page.shows('You’re offline, so nothing changed.');
  assert.equal(await valueIn(page, 'How many left: Tiramisù'), '17');
  page.setOffline(false);
  await page.press('Set');
  await page.shows('17 left');
});

test('a switch pressed while more products are read keeps its new state', async (t) => {
  const products = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, name: `Soup ${n}.`, price: 500 }));
  const soups = await givenKitchen(app, { external_id: 'soups', categories: [{ id: 'all', name: 'All', products }] });
  const page = await openMenu(t, await soups.invite());
  await page.fill('Search the menu', 'soup');
  await page.find('field', 'Soup 0. available');
  const switched = Promise.withResolvers<void>();
  intercept(page, /store\/products\?.*after=[1-9]/, async (send) => {
    const answer = await send();
    await switched.promise;
    return answer;
  });
  await page.press('Show more');
  await tap(page, 'Soup 0. available');
  await hasSwitch(page, 'Soup 0. available', false);
  switched.resolve();
  await page.find('field', 'Soup 59. available');
  assert.equal(await isOn(page, 'Soup 0. available'), false);
});

test('a switch pressed while the menu is read again after an edit keeps its new state', async (t) => {
  const page = await openMenu(t);
  await page.find('field', 'Marinara available');
  const [switched, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  intercept(page, /store\/menu\/items\?category_id=pies/, async (send) => {
    const answer = await send();
    read.resolve();
    await switched.promise;
    return answer;
  });
  await page.fill('New category', 'Late plates');
  await page.key('Enter');
  await read.promise;
  await tap(page, 'Marinara available');
  await hasSwitch(page, 'Marinara available', false);
  switched.resolve();
  await page.find('heading', 'Late plates');
  assert.equal(await isOn(page, 'Marinara available'), false);
});
