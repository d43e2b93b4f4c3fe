import { FEED_LIMITS, type ReadOsmHours } from '../../menus/feed-fields.ts';
import { countryByName } from '../../stores/time-zone.ts';
import type { ParsedStoreLine } from '../feed/parse-store-line.ts';
import { schemaOrgStoreKind } from '../open-data/store-kind.ts';
import {
  DATED_SPECS_LIMIT,
  EXCEPTIONS_LIMIT,
  lineExceptions,
  type OpenRange,
  type OpenSpec,
  rangesOfSpecs,
  readDatedSpec,
  readOpenSpec,
  weekdayHours,
  zoneOfSpot,
} from '../opening-specs.ts';
import { createSourceNotes, feedId } from '../source-notes.ts';
import { picturesOf, schemaCategories } from './menu-value.ts';
import {
  createPageContext,
  firstLdText,
  isDangling,
  type LdGraph,
  type LdNode,
  ldText,
  nodeLabel,
  nodesOf,
  type PageContext,
  permanentId,
} from './nodes.ts';

const PHOTOS = { max: FEED_LIMITS.photos, things: 'photos' };

/** Converts a store's own JSON-LD to a store line: finds the nodes that are stores, their ids, hours and dates. */

export const STORE_TYPES_EXPECTED =
  'expected a store: a FoodEstablishment such as Restaurant, or a Store such as GroceryStore';

/** A document's stores: top-level ones, and nested ones with their own address. Throws ReadLimitExceeded. */
export function findPageStores(graph: LdGraph): LdNode[] {
  const top = new Set(graph.top);
  return graph.all.filter(
    (node) => schemaOrgStoreKind(node.types) !== null && (top.has(node) || graph.values(node, 'address').length > 0),
  );
}

/**
 * Converts a store of a document to a store line, by the rules of docs/feeds.md. `isOnly`: it is the document's only
 * store. `menus`: the document's menus. Throws ReadLimitExceeded.
 */
export function readStore(
  graph: LdGraph,
  store: LdNode,
  {
    isOnly,
    menus,
    publisher,
    readOsmHours,
  }: { isOnly: boolean; menus: DocumentMenus; publisher: Publisher; readOsmHours: ReadOsmHours },
): ParsedStoreLine {
  const notes = createSourceNotes();
  const address = schemaAddress(graph, store);
  const context = createPageContext(graph, notes, address?.country === 'CA' ? 'CA' : 'US');
  const text = (property: string) => firstLdText(graph, store, property);
  const name = text('name');
  const spot = nodesOf(graph, store, 'geo')[0] ?? store;
  const latitude = decimalOrText(firstLdText(graph, spot, 'latitude'));
  const longitude = decimalOrText(firstLdText(graph, spot, 'longitude'));
  const priceRange = text('priceRange');
  const kind = schemaOrgStoreKind(store.types);
  const known = pageStoreId(permanentId(store), [name, address?.street_addr ?? '', address?.zipcode ?? ''], publisher);
  if (!known.isOwn) notes.warn(nodeLabel(graph, store), '@id', 'expected an address of the site that --site names');
  const categories = schemaCategories(context, schemaMenus(context, store, { isOnly, menus }));
  const line = notes.from(nodeLabel(graph, store), {
    external_id: known.id,
    name,
    type: kind?.type,
    phone: text('telephone'),
    description: text('description'),
    address,
    latitude,
    longitude,
    hours: schemaHours(context, store),
    ...schemaExceptions(context, store, zoneOfSpot(latitude, longitude, address?.country === 'CA' ? 'CA' : 'US')),
    ...schemaCuisines(graph, store, categories.length === 0 ? (kind?.sells ?? []) : []),
    dollar_signs: /^\${1,5}$/.test(priceRange) ? priceRange.length : undefined,
    photos: {
      store: notes.atMost(nodeLabel(graph, store), 'image', picturesOf(graph, store, 'image'), PHOTOS),
      logo: picturesOf(graph, store, 'logo').slice(0, 1),
    },
    rating: schemaRating(context, store),
    categories,
  });
  return notes.parse(line, readOsmHours);
}

function schemaAddress(graph: LdGraph, store: LdNode) {
  const [node] = nodesOf(graph, store, 'address');
  if (!node) return undefined;
  const text = (property: string) => firstLdText(graph, node, property);
  const [country] = nodesOf(graph, node, 'addressCountry');
  const named = country ? firstLdText(graph, country, 'name') : text('addressCountry');
  return {
    street_addr: text('streetAddress'),
    city: text('addressLocality'),
    state: text('addressRegion'),
    zipcode: text('postalCode'),
    // An unknown country is kept, so that the line's parser refuses it.
    country: countryByName(named) ?? named,
  };
}

/** Parses a decimal number. Other text is kept, so that the feed's rules refuse it. */
function decimalOrText(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d{1,4}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text;
}

/** `servesCuisine`, or what a shop `sells`. A shop with a menu gets its categories instead. */
function schemaCuisines(graph: LdGraph, store: LdNode, sells: readonly string[]): { cuisines?: readonly string[] } {
  const cuisines = graph.values(store, 'servesCuisine').flatMap((value) => ldText(value).split(','));
  const named = cuisines.map((cuisine) => cuisine.trim()).filter((cuisine) => cuisine !== '');
  if (named.length > 0) return { cuisines: named };
  return sells.length > 0 ? { cuisines: sells } : {};
}

/** A rating out of five. Ratings on other scales are dropped, because they are not comparable. */
function schemaRating({ graph, notes }: PageContext, store: LdNode): object | undefined {
  const [rating] = nodesOf(graph, store, 'aggregateRating');
  const text = (property: string) => (rating ? firstLdText(graph, rating, property) : '');
  const value = decimalOrText(text('ratingValue'));
  const best = text('bestRating');
  if (typeof value === 'number' && value >= 0 && value <= 5 && (best === '' || Number(best) === 5)) {
    const count = text('ratingCount') || text('reviewCount');
    return { value, ...(/^\d{1,9}$/.test(count) ? { count: Number(count) } : {}) };
  }
  if (rating) notes.warn(nodeLabel(graph, store), 'aggregateRating', 'expected a rating out of 5; left out');
  return undefined;
}

/** A document's menus; those with a URL also by id and by page. */
type DocumentMenus = { all: readonly LdNode[]; at: ReadonlyMap<string, readonly LdNode[]> };

export function findMenus(graph: LdGraph): DocumentMenus {
  const all = graph.all.filter(({ types }) => types.includes('Menu'));
  const at = new Map<string, LdNode[]>();
  for (const menu of all) {
    for (const address of new Set([permanentId(menu) ?? '', firstLdText(graph, menu, 'url')])) {
      const others = at.get(address);
      if (others) others.push(menu);
      else if (address !== '') at.set(address, [menu]);
    }
  }
  return { all, at };
}

/** The menus that a store names. If the document has only this store, all of its menus. */
function schemaMenus(
  context: PageContext,
  store: LdNode,
  { isOnly, menus }: { isOnly: boolean; menus: DocumentMenus },
): readonly LdNode[] {
  const { graph, notes } = context;
  const named = [...new Set(['hasMenu', 'menu'].flatMap((property) => graph.values(store, property)))];
  const own = named.flatMap((value) => {
    const node = graph.nodeOf(value);
    if (node) return isDangling(context, node, store, 'hasMenu') ? [] : [node];
    return menus.at.get(ldText(value)) ?? [];
  });
  const found = own.length === 0 && isOnly ? menus.all : [...new Set(own)];
  if (found.length === 0 && named.length > 0) {
    notes.warn(nodeLabel(graph, store), 'hasMenu', 'expected a menu in the same document');
  }
  return found;
}

/** The publisher of a document: the site stated by the operator, else the file. */
export type Publisher = { site: URL } | { file: string };

/** The id of a document's store, and whether it belongs to the publisher's site. */
type KnownStore = { id: string; isOwn: boolean };

const ABSOLUTE = /^[a-z][a-z\d+.-]{1,20}:/i;

/**
 * A store's id in a document (docs/feeds.md#ids-of-a-page). Any page may use another site's `@id`, so an `@id` counts
 * only on its own site, as stated by the operator. Other ids are scoped to their publisher.
 */
export function pageStoreId(lasting: string | null, place: readonly string[], publisher: Publisher): KnownStore {
  const isAbsolute = lasting !== null && ABSOLUTE.test(lasting);
  if (isAbsolute && 'site' in publisher && isOfSite(lasting, publisher.site))
    return { id: feedId(lasting), isOwn: true };
  // Name and address identify the store if its `@id` is relative or blank, because such an id changes when the page is
  // rewritten.
  const named = isAbsolute ? lasting : place.filter((part) => part !== '').join(', ');
  if (named === '') return { id: '', isOwn: true };
  const owner = 'site' in publisher ? publisher.site.host : publisher.file;
  return { id: feedId(`${owner} ${named}`), isOwn: !(isAbsolute && 'site' in publisher) };
}

/** Whether the id's host is the site's; http and https count as the same site. */
function isOfSite(id: string, site: URL): boolean {
  const url = URL.parse(id);
  return url !== null && /^https?:$/.test(url.protocol) && url.host === site.host && url.username === '';
}

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su)';
const RULE = new RegExp(`^(${DAY}(?:\\s?[-,]\\s?${DAY})*)(?:\\s+(\\d{1,2}:\\d{2})\\s?-\\s?(\\d{1,2}:\\d{2}))?$`, 'i');
const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
const MAX_RULE_LENGTH = 100;
const RULES = { max: 100, things: 'rules' };

const WEEKLY = 'openingHoursSpecification';
const SPECIAL = 'specialOpeningHoursSpecification';
const DATES = ['validFrom', 'validThrough'];

/** A store's hours: from its specifications, else its `openingHours` texts; undefined if unknown. */
function schemaHours(context: PageContext, store: LdNode): object | undefined {
  const specified = specifiedHours(context, store);
  if (specified) return { operational: weekdayHours(specified) };
  const { graph, notes } = context;
  const texts = graph.values(store, 'openingHours').flatMap((value) => ldText(value).split(';'));
  const named = texts.map((rule) => rule.trim()).filter((rule) => rule !== '');
  const rules = notes.atMost(nodeLabel(graph, store), 'openingHours', named, RULES);
  if (rules.length === 0) return undefined;
  const ranges = rules.map(readRule);
  if (ranges.every((range) => range !== null)) return { operational: weekdayHours(ranges.flat()) };
  // Any other text is left to OpenStreetMap's parser.
  return { operational: rules.join('; ') };
}

function specifiedHours(context: PageContext, store: LdNode): OpenRange[] | null {
  const { graph, notes } = context;
  const kept = nodesOf(graph, store, WEEKLY).flatMap((node) => {
    if (isDated(context, node)) return [];
    const read = readOpenSpec({ ...specOf(context, node), onlyForATime: false });
    if (read.ok) return [read.ranges];
    notes.warn(nodeLabel(graph, store), WEEKLY, `expected regular weekly hours: ${read.reason}; left out`);
    return [];
  });
  return kept.length > 0 ? kept.flat() : null;
}

/** Dated specifications as `hours_exceptions`, in `timeZone`. */
function schemaExceptions(
  context: PageContext,
  store: LdNode,
  timeZone: string,
): { hours_exceptions?: readonly object[] } {
  const { graph, notes } = context;
  const label = nodeLabel(graph, store);
  const specs = [WEEKLY, SPECIAL].flatMap((property) =>
    nodesOf(graph, store, property).flatMap((node) => {
      if (property === WEEKLY && !isDated(context, node)) return [];
      const [validFrom, validThrough] = DATES.map((key) => firstLdText(graph, node, key));
      const read = readDatedSpec({ ...specOf(context, node), validFrom, validThrough }, timeZone);
      if (read.ok) return [read.spec];
      notes.warn(label, property, `expected hours of some dates: ${read.reason}; left out`);
      return [];
    }),
  );
  const exceptions = lineExceptions(rangesOfSpecs(notes.atMost(label, SPECIAL, specs, DATED_SPECS_LIMIT)), null);
  return exceptions.length === 0
    ? {}
    : { hours_exceptions: notes.atMost(label, SPECIAL, exceptions, EXCEPTIONS_LIMIT) };
}

function isDated({ graph }: PageContext, node: LdNode): boolean {
  return DATES.some((key) => graph.values(node, key).length > 0);
}

function specOf({ graph }: PageContext, node: LdNode): Omit<OpenSpec, 'onlyForATime'> {
  const days = graph.values(node, 'dayOfWeek').map((day) => {
    const linked = graph.nodeOf(day);
    return linked ? (linked.id ?? firstLdText(graph, linked, 'name')) : ldText(day);
  });
  return { opens: firstLdText(graph, node, 'opens'), closes: firstLdText(graph, node, 'closes'), days };
}

/** Parses `Mo-Fr 09:00-17:00`; without times, the whole day (schema.org, openingHours). */
function readRule(rule: string): readonly OpenRange[] | null {
  const [, days = '', opens = '00:00', closes = '23:59'] = (rule.length <= MAX_RULE_LENGTH && RULE.exec(rule)) || [];
  if (days === '') return null;
  const read = readOpenSpec({ opens, closes, days: parseWeekdays(days), onlyForATime: false });
  return read.ok ? read.ranges : null;
}

function parseWeekdays(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/\s/g, '')
    .split(',')
    .flatMap((part) => {
      const [first = '', last = first] = part.split('-');
      const from = DAYS.indexOf(first);
      const count = ((DAYS.indexOf(last) - from + DAYS.length) % DAYS.length) + 1;
      return Array.from({ length: count }, (_, n) => DAYS[(from + n) % DAYS.length] ?? '');
    });
}
