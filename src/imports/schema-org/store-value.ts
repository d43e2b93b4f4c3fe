import { countryNamed } from '../../stores/country-name.ts';
import { zoneOfSpot } from '../dated-specs.ts';
import type { ReadOsmHours } from '../feed/feed-fields.ts';
import { FEED_LIMITS } from '../feed/feed-limits.ts';
import type { ParsedStoreLine } from '../feed/parse-store-line.ts';
import { schemaOrgStoreKind } from '../open-data/store-kind.ts';
import { createSourceNotes } from '../source-notes.ts';
import { exceptionsOf, hoursOf } from './hours-value.ts';
import { picturesOf } from './item-value.ts';
import { categoriesOf } from './menu-value.ts';
import { firstText, type LdGraph, type LdNode, nodesOf, textOf } from './nodes.ts';
import { createStoreContext, isLost, labelOf, lastingId, type StoreContext } from './store-context.ts';
import { type Publisher, pageStoreId } from './store-id.ts';

export const STORE_TYPES_EXPECTED =
  'expected a store: a FoodEstablishment such as Restaurant, or a Store such as GroceryStore';

/** The stores of a document: stores at its top, and nested stores with an address of their own. Throws TooMuchToRead. */
export function findStores(graph: LdGraph): LdNode[] {
  const top = new Set(graph.top);
  return graph.all.filter(
    (node) => schemaOrgStoreKind(node.types) !== null && (top.has(node) || graph.values(node, 'address').length > 0),
  );
}

/**
 * A store of a document as a store line, read by the rules of docs/feeds.md. `isOnly`: the document has no other store;
 * `menus` are the menus of the document. Throws TooMuchToRead.
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
  const address = addressOf(graph, store);
  const context = createStoreContext(graph, notes, address?.country === 'CA' ? 'CA' : 'US');
  const text = (property: string) => firstText(graph, store, property);
  const name = text('name');
  const spot = nodesOf(graph, store, 'geo')[0] ?? store;
  const latitude = numberOf(firstText(graph, spot, 'latitude'));
  const longitude = numberOf(firstText(graph, spot, 'longitude'));
  const priceRange = text('priceRange');
  const kind = schemaOrgStoreKind(store.types);
  const known = pageStoreId(lastingId(store), [name, address?.street_addr ?? '', address?.zipcode ?? ''], publisher);
  if (!known.isOwn) notes.warn(labelOf(graph, store), '@id', 'expected an address of the site that --site names');
  const categories = categoriesOf(context, menusOf(context, store, { isOnly, menus }));
  const line = notes.from(labelOf(graph, store), {
    external_id: known.id,
    name,
    type: kind?.type,
    phone: text('telephone'),
    description: text('description'),
    address,
    latitude,
    longitude,
    hours: hoursOf(context, store),
    ...exceptionsOf(context, store, zoneOfSpot(latitude, longitude, address?.country === 'CA' ? 'CA' : 'US')),
    ...cuisinesOf(graph, store, categories.length === 0 ? (kind?.sells ?? []) : []),
    dollar_signs: /^\${1,5}$/.test(priceRange) ? priceRange.length : undefined,
    photos: {
      store: picturesOf(graph, store, 'image').slice(0, FEED_LIMITS.photos),
      logo: picturesOf(graph, store, 'logo').slice(0, 1),
    },
    rating: ratingOf(context, store),
    categories,
  });
  return notes.parse(line, readOsmHours);
}

function addressOf(graph: LdGraph, store: LdNode) {
  const [node] = nodesOf(graph, store, 'address');
  if (!node) return undefined;
  const text = (property: string) => firstText(graph, node, property);
  const [country] = nodesOf(graph, node, 'addressCountry');
  const named = country ? firstText(graph, country, 'name') : text('addressCountry');
  return {
    street_addr: text('streetAddress'),
    city: text('addressLocality'),
    state: text('addressRegion'),
    zipcode: text('postalCode'),
    // An unknown country stays as it is, so that the line's reader refuses it.
    country: countryNamed(named) ?? named,
  };
}

/** A decimal number; otherwise the text itself, for the feed's own rules to refuse. */
function numberOf(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d{1,4}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text;
}

/** `servesCuisine`; for a shop without it what the shop `sells`. A shop with a menu is left its categories. */
function cuisinesOf(graph: LdGraph, store: LdNode, sells: readonly string[]): { cuisines?: readonly string[] } {
  const cuisines = graph.values(store, 'servesCuisine').flatMap((value) => textOf(value).split(','));
  const named = cuisines.map((cuisine) => cuisine.trim()).filter((cuisine) => cuisine !== '');
  if (named.length > 0) return { cuisines: named };
  return sells.length > 0 ? { cuisines: sells } : {};
}

/** A rating out of five; another scale is left out, since it could not be compared. */
function ratingOf({ graph, notes }: StoreContext, store: LdNode): object | undefined {
  const [rating] = nodesOf(graph, store, 'aggregateRating');
  const text = (property: string) => (rating ? firstText(graph, rating, property) : '');
  const value = numberOf(text('ratingValue'));
  const best = text('bestRating');
  if (typeof value === 'number' && value >= 0 && value <= 5 && (best === '' || Number(best) === 5)) {
    const count = text('ratingCount') || text('reviewCount');
    return { value, ...(/^\d{1,9}$/.test(count) ? { count: Number(count) } : {}) };
  }
  if (rating) notes.warn(labelOf(graph, store), 'aggregateRating', 'expected a rating out of 5; left out');
  return undefined;
}

/** The menus of a document, and the menus with a URL, by their id and by their page. */
export type DocumentMenus = { all: readonly LdNode[]; at: ReadonlyMap<string, readonly LdNode[]> };

/** Throws TooMuchToRead. */
export function findMenus(graph: LdGraph): DocumentMenus {
  const all = graph.all.filter(({ types }) => types.includes('Menu'));
  const at = new Map<string, LdNode[]>();
  for (const menu of all) {
    for (const address of new Set([lastingId(menu) ?? '', firstText(graph, menu, 'url')])) {
      const others = at.get(address);
      if (others) others.push(menu);
      else if (address !== '') at.set(address, [menu]);
    }
  }
  return { all, at };
}

/** The menus that a store names; for the only store of a document without named menus, the menus of the document. */
function menusOf(
  context: StoreContext,
  store: LdNode,
  { isOnly, menus }: { isOnly: boolean; menus: DocumentMenus },
): readonly LdNode[] {
  const { graph, notes } = context;
  const named = [...new Set(['hasMenu', 'menu'].flatMap((property) => graph.values(store, property)))];
  const own = named.flatMap((value) => {
    const node = graph.nodeOf(value);
    if (node) return isLost(context, node, store, 'hasMenu') ? [] : [node];
    return menus.at.get(textOf(value)) ?? [];
  });
  const found = own.length === 0 && isOnly ? menus.all : [...new Set(own)];
  if (found.length === 0 && named.length > 0) {
    notes.warn(labelOf(graph, store), 'hasMenu', 'expected a menu in the same document');
  }
  return found;
}
