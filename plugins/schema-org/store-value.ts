import type { ParsedStoreLine } from 'doorstep/plugin';
import {
  createSourceNotes,
  DATED_SPECS_LIMIT,
  EXCEPTIONS_LIMIT,
  FEED_LIMITS,
  feedId,
  lineExceptions,
  localityOfLine,
  type OpenSpec,
  rangesOfSpecs,
  rangesOfWeek,
  readDatedSpec,
  readDays,
  weekdayHours,
} from 'doorstep/plugin';
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
import { schemaOrgStoreKind } from './store-kind.ts';

/* A schema.org document (`Restaurant`, `GroceryStore` and their kin) as a store of a feed. */

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
  { isOnly, menus, publisher, spot }: { isOnly: boolean; menus: DocumentMenus; publisher: Publisher; spot: StoreSpot },
): ParsedStoreLine {
  const notes = createSourceNotes();
  const { address, latitude, longitude, isNotFound } = spot;
  if (isNotFound)
    notes.fault(nodeLabel(graph, store), 'geo', 'expected a coordinate: no geocoder match of the address');
  const text = (property: string) => firstLdText(graph, store, property);
  const name = text('name');
  const locality = localityOfLine(address, latitude, longitude);
  const context = createPageContext(graph, notes, locality.country);
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
    address: address && { ...address, state: address.state || locality.state },
    latitude,
    longitude,
    hours: schemaHours(context, store),
    ...schemaExceptions(context, store, locality.timeZone),
    ...schemaCuisines(graph, store, categories.length === 0 ? (kind?.sells ?? []) : []),
    dollar_signs: /^\${1,5}$/.test(priceRange) ? priceRange.length : undefined,
    photos: {
      store: notes.atMost(nodeLabel(graph, store), 'image', picturesOf(graph, store, 'image'), PHOTOS),
      logo: picturesOf(graph, store, 'logo').slice(0, 1),
    },
    rating: schemaRating(context, store),
    categories,
  });
  return notes.parse(line);
}

/** A store's address and coordinate. `isNotFound`: it has no coordinate, and the geocoder does not find its door. */
export type StoreSpot = {
  address: ReturnType<typeof schemaAddress>;
  latitude: unknown;
  longitude: unknown;
  isNotFound?: boolean;
};

export function readSpot(graph: LdGraph, store: LdNode): StoreSpot {
  const geo = nodesOf(graph, store, 'geo')[0] ?? store;
  const degrees = (property: string) => decimalOrText(firstLdText(graph, geo, property));
  return { address: schemaAddress(graph, store), latitude: degrees('latitude'), longitude: degrees('longitude') };
}

function schemaAddress(graph: LdGraph, store: LdNode) {
  const [node] = nodesOf(graph, store, 'address');
  if (!node) return undefined;
  const text = (property: string) => firstLdText(graph, node, property);
  const [country] = nodesOf(graph, node, 'addressCountry');
  return {
    street_addr: text('streetAddress'),
    city: text('addressLocality'),
    state: text('addressRegion'),
    zipcode: text('postalCode'),
    country: country ? firstLdText(graph, country, 'name') : text('addressCountry'),
  };
}

/** Parses a decimal number. Other text is kept, so that the feed's rules refuse it. */
function decimalOrText(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d{1,4}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text;
}

/** `servesCuisine`, or a shop's `sells`. A shop with a menu uses its categories instead. */
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

/** The menus that a store names. If this store is the document's only one, all of its menus. */
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

/** The publisher of a document: the site stated by the operator, otherwise the file. */
export type Publisher = { site: URL } | { file: string };

/** The id of a document's store, and whether it belongs to the publisher's site. */
type KnownStore = { id: string; isOwn: boolean };

const ABSOLUTE = /^[a-z][a-z\d+.-]{1,20}:/i;

/**
 * A store's id in a document (docs/import-formats.md#ids-of-a-page). Any page may use another site's `@id`, so an `@id`
 * counts only on its own site, as stated by the operator. Other ids are scoped to their publisher.
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

const WEEKLY = 'openingHoursSpecification';
const SPECIAL = 'specialOpeningHoursSpecification';
const DATES = ['validFrom', 'validThrough'];
const CLOSED_TIMES = '00:00-00:00';

/** A store's hours: from its specifications, otherwise its `openingHours` texts, which add up; undefined if unknown. */
function schemaHours(context: PageContext, store: LdNode): object | undefined {
  const { graph, notes } = context;
  const specs = nodesOf(graph, store, WEEKLY).filter((node) => !isDated(context, node));
  const ranges = rangesOfWeek(
    specs.map((node) => specOf(context, node)),
    (_, message) => notes.warn(nodeLabel(graph, store), WEEKLY, message),
  );
  if (ranges) return { operational: weekdayHours(ranges) };
  const texts = graph.values(store, 'openingHours').flatMap((value) => ldText(value).split(';'));
  const rules = texts.map((text) => ruleOfText(text.trim())).filter((rule) => rule !== '');
  return rules.length === 0 ? undefined : { operational: rules };
}

/** Days without times are whole days (schema.org, openingHours); from 00:00 to 00:00 is closed, as in specifications. */
function ruleOfText(text: string): string {
  if (text.endsWith(CLOSED_TIMES)) return `${text.slice(0, -CLOSED_TIMES.length)}off`;
  return readDays(text) ? `${text} 00:00-24:00` : text;
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

const isDated = ({ graph }: PageContext, node: LdNode): boolean =>
  DATES.some((key) => graph.values(node, key).length > 0);

function specOf({ graph }: PageContext, node: LdNode): OpenSpec {
  const days = graph.values(node, 'dayOfWeek').map((day) => {
    const linked = graph.nodeOf(day);
    return linked ? (linked.id ?? firstLdText(graph, linked, 'name')) : ldText(day);
  });
  return { opens: firstLdText(graph, node, 'opens'), closes: firstLdText(graph, node, 'closes'), days };
}
