import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableFile } from '../../src/platform/lib/read-bytes.ts';
import { FEED_LIMITS } from '../../src/supply/stores/feed-fields.ts';
import type { FeedLine } from '../../test/feed-lines.ts';
import {
  faultLines,
  menuOf,
  openPages,
  readPage,
  readPages,
  readStore,
  schemaOrgShop,
  soup,
} from '../../test/schema-org-pages.ts';

const pageWith = (...blocks: string[]) =>
  `<html><body>${blocks.map((block) => `<script type="application/ld+json">${block}</script>`).join('\n')}</body></html>`;

test('a page: blocks refer to each other, a menu of its own belongs to the only store, a broken block is told and left out', async () => {
  const page = pageWith(
    JSON.stringify(schemaOrgShop()),
    '{"@type": "Menu", ',
    JSON.stringify({ '@context': 'https://schema.org', ...menuOf(soup()) }),
    '{"@type":"BreadcrumbList"}',
  );
  const entries = await readPages(`\uFEFF\n\n${page}`);
  assert.deepEqual(
    entries.map((entry) => ('warnings' in entry ? [entry.line, faultLines(entry.warnings)] : 'store')),
    [[4, [': expected JSON; left out']], 'store'],
  );
  assert.equal((await readPage(page)).ok, true);
  const store = await readPage(page);
  assert.equal(store.ok && store.store.catalog.products.length, 1);
});

test('a document without a store says what was expected, and a line each where lines are documents', async () => {
  const faults = async (text: string) =>
    (await readPages(text)).map((entry) => [
      entry.line,
      'parsed' in entry && (entry.parsed.ok || faultLines(entry.parsed.faults)[0]?.slice(0, 25)),
    ]);
  await assert.rejects(faults(''), UnreadableFile);
  assert.deepEqual(await faults('<html>nothing</html>'), [[1, ': expected a store: a Foo']]);
  assert.deepEqual(await faults('{"@type":\n"Restaurant",'), [[1, ': expected JSON']]);
  assert.deepEqual(await faults(`${JSON.stringify(schemaOrgShop())}\nnot json\n42\n`), [
    [1, true],
    [2, ': expected JSON'],
    [3, ': expected a store: a Foo'],
  ]);
  assert.deepEqual(
    await faults(JSON.stringify([schemaOrgShop(), { ...schemaOrgShop({ '@id': '_:b', name: 'Second' }) }])),
    [
      [1, true],
      [1, true],
    ],
  );
});

test('dangling references, recursive sections and circular add-ons are reported and omitted', async () => {
  const looped = {
    '@id': '#s',
    '@type': 'MenuSection',
    name: 'Loop',
    hasMenuSection: [{ '@id': '#s' }, { '@id': '#gone' }],
    hasMenuItem: soup({ '@id': '#soup', menuAddOn: [{ '@id': '#soup' }, { '@id': '#none' }] }),
  };
  const { catalog, warnings } = await readStore(
    schemaOrgShop({ hasMenu: { '@type': 'Menu', hasMenuSection: looped } }),
  );
  assert.equal(catalog.products.length, 1);
  assert.deepEqual(
    warnings.sort(),
    [
      'MenuItem Soup: expected no add-ons that lead back to themselves; left out',
      'MenuItem Soup: menuAddOn: expected a thing of the document with the id #none',
      'MenuSection Loop: expected no section within itself; left out',
      'MenuSection Loop: hasMenuSection: expected a thing of the document with the id #gone',
    ].sort(),
  );
});

test('hostile documents are refused, or say no more than they do', async () => {
  const nest = (depth: number): string =>
    `${'{"@type":"MenuSection","name":"s","hasMenuSection":'.repeat(depth)}{"hasMenuItem":${JSON.stringify(soup())}}${'}'.repeat(depth)}`;
  const deep = await readPage(
    JSON.stringify(schemaOrgShop({ hasMenu: 'X' })).replace('"X"', `{"@type":"Menu","hasMenuSection":${nest(1000)}}`),
  );
  assert.match(deep.ok ? 'ok' : faultLines(deep.faults).join(), /at most 32 levels of sections/);
  const deeper = await readPage(
    JSON.stringify(schemaOrgShop({ about: 'X' })).replace('"X"', `${'['.repeat(300_000)}${']'.repeat(300_000)}`),
  );
  assert.equal(deeper.ok, true);
  const odd = JSON.stringify(
    schemaOrgShop({ hasMenu: menuOf(soup({ '@id': '__proto__', name: 'n\u0000l' })) }),
  ).replace('{', '{"__proto__":{"name":"evil"},"constructor":{},');
  const parsed = await readPage(odd);
  assert.deepEqual(
    parsed.ok && parsed.store.catalog.products.map(({ product }) => [product.externalId, product.name]),
    [['__proto__', 'nl']],
  );
  const long = await readPage(
    JSON.stringify(schemaOrgShop({ hasMenu: menuOf(soup({ description: 'd'.repeat(10 * 1024 * 1024) })) })),
  );
  assert.match(long.ok ? 'ok' : faultLines(long.faults).join(), /MenuItem Soup: description: expected at most 10000/);
  const wide = Array.from({ length: 30 }, (_, n) =>
    ['a', 'b'].map((x) => ({
      '@id': `#${x}${n}`,
      '@type': 'MenuItem',
      name: `${x}${n}`,
      menuAddOn: [{ '@id': `#a${n + 1}` }, { '@id': `#b${n + 1}` }],
    })),
  ).flat();
  const exploding = await readPage(
    JSON.stringify({ '@graph': [...wide, schemaOrgShop({ hasMenu: menuOf(soup({ menuAddOn: { '@id': '#a0' } })) })] }),
  );
  assert.match(
    exploding.ok ? 'ok' : faultLines(exploding.faults).join(),
    new RegExp(`at most ${FEED_LIMITS.optionsPerProduct} options`),
  );
});

test('reports on a page contain no control characters from any name', async () => {
  const codes = '\u001b[2J\u009b31m';
  const dish = soup({
    '@type': [`${codes}Dish`],
    name: `${codes}Soup`,
    offers: { price: codes, priceCurrency: codes },
  });
  const named = schemaOrgShop({ '@type': [`${codes}Diner`, 'Restaurant'], hasMenu: menuOf(dish), geo: codes });
  const parsed = await readPage(JSON.stringify(named));
  const faults = parsed.ok ? [] : faultLines(parsed.faults);
  assert.ok(faults.length > 2);
  for (const fault of faults) assert.doesNotMatch(fault, /\p{Cc}/u);
});

test('lists within lists say no more than one, however deep they are', async () => {
  const lists = (depth: number, inner: string) => `${'{"@list":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
  const documentWith = (menu: string) => JSON.stringify(schemaOrgShop({ hasMenu: 'X' })).replace('"X"', menu);
  const wrapped = await readPage(documentWith(lists(3, JSON.stringify(menuOf(soup())))));
  assert.equal(wrapped.ok && wrapped.store.catalog.products.length, 1);
  const deep = await readPage(documentWith(lists(300_000, '1')));
  assert.equal(deep.ok && deep.store.catalog.products.length, 0);
});

test('things that refer to each other are read up to a limit, a thing in many parts as quickly as any other', async () => {
  const many = (count: number, item: FeedLine) =>
    Array.from({ length: count }, () => ({ '@id': '#soup', '@type': 'MenuItem', ...item }));
  const graphOf = (dishes: FeedLine[], ...parts: FeedLine[]) => ({
    '@graph': [schemaOrgShop({ hasMenu: menuOf(...dishes) }), ...parts],
  });
  const references = many(50_000, {}).map(() => ({ '@id': '#soup' }));
  const images = Array.from({ length: 50_000 }, (_, n) => `https://pictures.example/${n}`);
  const pictured = await readPage(JSON.stringify(graphOf(references, { '@id': '#soup', ...soup({ image: images }) })));
  assert.deepEqual(pictured.ok || faultLines(pictured.faults), [
    ': expected at most 50000000 values to be read in a document',
  ]);
  const told50k = await readStore(
    graphOf(references, { '@id': '#soup', ...soup() }, ...many(50_000, { calories: 90 })),
  );
  assert.equal(told50k.catalog.products.length, 50_000);
});

test('stores that share a menu come one by one, however many they are', async () => {
  const menu = { '@id': '#menu', ...menuOf(soup()) };
  const stores = Array.from({ length: 20 }, (_, n) =>
    schemaOrgShop({ '@id': `https://shops.example/${n}`, hasMenu: { '@id': '#menu' } }),
  );
  const { entries } = await openPages(JSON.stringify([...stores, menu]));
  const sizes: number[] = [];
  for await (const some of entries) if (some.length > 0) sizes.push(some.length);
  assert.deepEqual(
    sizes,
    stores.map(() => 1),
  );
});
