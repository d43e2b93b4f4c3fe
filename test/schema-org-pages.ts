import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { schemaOrg } from '../plugins/schema-org/open-schema-org.flow.ts';
import type { FeedEntry } from '../src/supply/imports/formats.ts';
import type { ParsedStoreLine } from '../src/supply/imports/parse-store-line.ts';
import type { FeedLine } from './feed-lines.ts';
import { ADDRESS, type Choice, type Dish, dollars, type Menu, type Section } from './rendered-menus.ts';

export function schemaOrgStore({ sections }: Menu): FeedLine {
  const offer = (cents: number, more: FeedLine = {}) => ({
    '@type': 'Offer',
    ...more,
    price: cents % 2 === 0 ? cents / 100 : `$${dollars(cents)}`,
    priceCurrency: 'USD',
  });
  const addOn = (one: Choice): FeedLine => ({
    '@type': 'MenuSection',
    '@id': one.id,
    name: one.name,
    hasMenuItem: one.options.map((addition) => item({ ...addition, description: '', sizes: [] })),
  });
  const item = (one: Dish): FeedLine => ({
    '@type': 'MenuItem',
    '@id': one.id,
    name: one.name,
    ...(one.description === '' ? {} : { description: one.description }),
    offers:
      one.sizes.length === 0
        ? offer(one.price)
        : one.sizes.map((form) => offer(form.price, { '@id': form.id, name: form.name })),
    ...(one.choices.length === 0 ? {} : { menuAddOn: one.choices.map(addOn) }),
  });
  const section = (one: Section): FeedLine => ({
    '@type': 'MenuSection',
    '@id': one.id,
    name: one.name,
    ...(one.sections.length > 0
      ? { hasMenuSection: one.sections.map(section) }
      : { hasMenuItem: one.dishes.map(item) }),
  });
  return { ...schemaOrgShop(), hasMenu: { '@type': 'Menu', hasMenuSection: sections.map(section) } };
}

/** A store's JSON-LD without a menu, always open; `more` overrides members. */
export function schemaOrgShop(more: FeedLine = {}): FeedLine {
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': 'https://kitchen.example/#store',
    name: 'Test Kitchen',
    telephone: '+13125550142',
    address: {
      '@type': 'PostalAddress',
      streetAddress: ADDRESS.street_addr,
      addressLocality: ADDRESS.city,
      addressRegion: ADDRESS.state,
      postalCode: ADDRESS.zipcode,
      addressCountry: 'US',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 41.8843, longitude: '-87.6484' },
    openingHours: 'Mo-Su 00:00-24:00',
    ...more,
  };
}

const SITE = new URL('https://kitchen.example/');

/** Opens the text as a page of the site that standard input brings. */
export const openPages = (text: string) =>
  schemaOrg.open(['-'], {
    stdin: Readable.from([text]),
    now: Temporal.Instant.from('2026-06-10T17:00:00Z'),
    site: SITE,
  });

export async function readPages(text: string): Promise<FeedEntry[]> {
  const { entries } = await openPages(text);
  const read: FeedEntry[] = [];
  for await (const some of entries) read.push(...some);
  return read;
}

export async function readPage(text: string): Promise<ParsedStoreLine> {
  const parsed = (await readPages(text)).flatMap((entry) => ('parsed' in entry ? [entry.parsed] : []));
  assert.equal(parsed.length, 1);
  return parsed[0] as ParsedStoreLine;
}

/** Parses a document that must contain a store; returns the warnings as texts. */
export async function readStore(document: unknown) {
  const parsed = await readPage(JSON.stringify(document));
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return { ...parsed.store, warnings: faultLines(parsed.warnings) };
}

export const faultLines = (list: readonly { path: string; message: string }[]): string[] =>
  list.map(({ path, message }) => `${path}: ${message}`);

/** A dish of 4.50 dollars; `more` overrides members. */
export const soup = (more: FeedLine = {}): FeedLine => ({
  '@type': 'MenuItem',
  name: 'Soup',
  offers: { price: '4.50', priceCurrency: 'USD' },
  ...more,
});

export const menuOf = (...items: FeedLine[]): FeedLine => ({
  '@type': 'Menu',
  hasMenuSection: { '@type': 'MenuSection', name: 'Mains', hasMenuItem: items },
});
