import { present } from 'doorstep/collections';
import {
  type AddOn,
  containsItself,
  createPlacedIds,
  currencyFault,
  FEED_LIMITS,
  formatPrice,
  hasTooManyOptions,
  type PlacedIds,
  rangesOfWeek,
  readPrice,
  readSourceFood,
  soldOptions,
  UNREADABLE,
  weekdayHours,
} from 'doorstep/plugin';
import {
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

/** Converts a store's JSON-LD menus to categories and products: sections, items, offers, variants and food. */

type MenuWalk = { context: PageContext; categoryIds: PlacedIds; productIds: PlacedIds };
type Above = { id: string; way: readonly LdNode[] };

/** A store's menus as a line's categories; if there are several menus, each is a category. */
export function schemaCategories(context: PageContext, menus: readonly LdNode[]): object[] {
  const walk: MenuWalk = { context, categoryIds: createPlacedIds(), productIds: createPlacedIds() };
  if (menus.length > 1) return menus.flatMap((menu) => schemaCategory(walk, menu, { id: '', way: [] }));
  return menus.flatMap((menu) => {
    const above = { id: '', way: [menu] };
    const sections = schemaSections(walk, menu, above);
    const own = schemaProducts(walk, menu, permanentId(menu) ?? 'menu');
    if (own.length === 0) return sections;
    const id = walk.categoryIds.place(permanentId(menu) ?? 'menu', 'menu');
    const name = firstLdText(context.graph, menu, 'name') || 'Menu';
    return [context.notes.from(nodeLabel(context.graph, menu), { id, name, products: own }), ...sections];
  });
}

function schemaSections(walk: MenuWalk, node: LdNode, above: Above): object[] {
  return nodesOf(walk.context.graph, node, 'hasMenuSection').flatMap((section) =>
    isDangling(walk.context, section, node, 'hasMenuSection') ? [] : schemaCategory(walk, section, above),
  );
}

/** Converts a section to a category; empty if it has no products or contains itself. */
function schemaCategory(walk: MenuWalk, section: LdNode, above: Above): object[] {
  const { context, categoryIds } = walk;
  const { graph, notes } = context;
  const label = nodeLabel(graph, section);
  if (above.way.includes(section)) {
    notes.warn(label, '', 'expected no section within itself; left out');
    return [];
  }
  if (above.way.length > FEED_LIMITS.categoryDepth) {
    notes.fault(label, '', `expected at most ${FEED_LIMITS.categoryDepth} levels of sections`);
    return [];
  }
  if (!context.takePlace(section)) return [];
  const name = firstLdText(graph, section, 'name');
  const id = categoryIds.place(permanentId(section) ?? sectionPath(above.id, name), above.id);
  const products = schemaProducts(walk, section, id);
  const below = schemaSections(walk, section, { id, way: [...above.way, section] });
  if (products.length === 0 && below.length === 0) return [];
  const hours = soldHours(context, section);
  if (below.length === 0) return [notes.from(label, { id, name, hours, products })];
  // A category has either products or subcategories, so products alongside sections get a category of the same name.
  const own = notes.from(label, { id: categoryIds.place(`${id}/items`, id), name, products });
  return [notes.from(label, { id, name, hours, categories: products.length === 0 ? below : [own, ...below] })];
}

function schemaProducts({ context, productIds }: MenuWalk, section: LdNode, categoryId: string): object[] {
  return nodesOf(context.graph, section, 'hasMenuItem').flatMap((item) => {
    if (isDangling(context, item, section, 'hasMenuItem') || !context.takePlace(item)) return [];
    const own = permanentId(item) ?? sectionPath(categoryId, firstLdText(context.graph, item, 'name'));
    return schemaProduct(context, item, () => productIds.place(own, categoryId));
  });
}

const sectionPath = (above: string, name: string): string => (above === '' ? name : `${above}/${name}`);

/** State of a product's conversion: ids used so far, and the things on the path to the current choices. */
type ProductScope = { customizations: PlacedIds; options: PlacedIds; way: readonly LdNode[] };

/** Converts a menu item to a line's product; empty without a price, which is reported. */
function schemaProduct(context: PageContext, item: LdNode, idOf: () => string): object[] {
  const { graph, notes } = context;
  const label = nodeLabel(graph, item);
  const offers = schemaOffers(context, item);
  const price = offers && lowestOf(offers);
  if (offers === null || price === null) {
    notes.warn(label, 'offers', 'expected an offer with a price; left out');
    return [];
  }
  const scope = { customizations: createPlacedIds(), options: createPlacedIds(), way: [item] };
  return [
    notes.from(label, {
      id: idOf(),
      name: firstLdText(graph, item, 'name'),
      description: firstLdText(graph, item, 'description'),
      price,
      image: picturesOf(graph, item, 'image')[0],
      available: offers.some(({ available }) => available),
      hours: soldHours(context, item),
      food: schemaFood(context, item),
      customizations: customizationsOf(context, item, offers, scope),
    }),
  ];
}

/** Reads picture URLs, given as texts or as objects with a URL. */
export function picturesOf(graph: LdGraph, node: LdNode, property: string): string[] {
  return graph.values(node, property).flatMap((value) => {
    const picture = graph.nodeOf(value);
    const fromNode = (one: LdNode) =>
      firstLdText(graph, one, 'contentUrl') || firstLdText(graph, one, 'url') || one.id || '';
    const text = picture ? fromNode(picture) : ldText(value);
    return text === '' ? [] : [text];
  });
}

const lowestOf = (offers: readonly ItemOffer[]): number | null =>
  offers.length === 0 ? null : offers.reduce((low, { cents }) => Math.min(low, cents), Number.MAX_SAFE_INTEGER);

function customizationsOf(
  context: PageContext,
  item: LdNode,
  offers: readonly ItemOffer[],
  scope: ProductScope,
): object[] {
  if (scope.way.length > 2 * FEED_LIMITS.customizationDepth + 2) return [];
  const addOns = nodesOf(context.graph, item, 'menuAddOn').filter(
    (one) => !isDangling(context, one, item, 'menuAddOn'),
  );
  const sections = addOns.filter((one) => nodesOf(context.graph, one, 'hasMenuItem').length > 0);
  const isSection = new Set(sections);
  const single = addOns.filter((one) => !isSection.has(one));
  return [
    ...choiceGroup(context, item, offers, scope),
    ...sections.flatMap((section) => addOnSection(context, item, section, scope)),
    ...addOnItems(context, item, single, scope),
  ];
}

/** The required choice of one of an item's offers. Each option costs its price minus the cheapest offer's. */
function choiceGroup(context: PageContext, item: LdNode, offers: readonly ItemOffer[], scope: ProductScope): object[] {
  const lowest = lowestOf(offers);
  if (offers.length < 2 || lowest === null) return [];
  const { graph, notes } = context;
  const owner = permanentId(item) ?? firstLdText(graph, item, 'name');
  const groupId = scope.customizations.place('offers', owner);
  const options = offers.flatMap(({ id, name, cents, node }) => {
    if (!context.takePlace(node) || hasTooManyOptions(scope)) return [];
    return [
      notes.from(nodeLabel(graph, item), {
        id: scope.options.place(id, owner),
        name: name || id,
        price: cents - lowest,
      }),
    ];
  });
  const group = { id: groupId, name: 'Choose one', min_choice_options: 1, max_choice_options: 1, options };
  return [notes.from(nodeLabel(graph, item), group)];
}

/**
 * Converts an add-on section to a customization of its items; `eligibleQuantity` of the section or its offer, if
 * present, limits the choice.
 */
function addOnSection(context: PageContext, item: LdNode, section: LdNode, scope: ProductScope): object[] {
  const { graph, notes } = context;
  const label = nodeLabel(graph, section);
  if (!context.takePlace(section) || hasTooManyOptions(scope) || containsItself(notes, label, section, scope.way))
    return [];
  const name = firstLdText(graph, section, 'name') || 'Options';
  const id = scope.customizations.place(
    permanentId(section) ?? name,
    permanentId(item) ?? firstLdText(graph, item, 'name'),
  );
  const within = { ...scope, way: [...scope.way, section] };
  const items = nodesOf(graph, section, 'hasMenuItem').filter(
    (one) => !isDangling(context, one, section, 'hasMenuItem'),
  );
  const addOns = items.flatMap((one) => addOnOption(context, one, id, within));
  const [quantity] = [section, ...nodesOf(graph, section, 'offers')].flatMap((one) =>
    nodesOf(graph, one, 'eligibleQuantity'),
  );
  const minimum = quantity && choiceCount(context, section, firstLdText(graph, quantity, 'minValue'));
  const most = quantity && choiceCount(context, section, firstLdText(graph, quantity, 'maxValue'));
  if (addOns.length < (minimum ?? 0) && !hasTooManyOptions(scope)) {
    notes.fault(label, '', `expected at least ${minimum} items to choose from, found ${addOns.length}`);
  }
  const { options } = soldOptions(addOns, minimum ?? 0);
  if (options.length === 0) return [];
  const counts = present({ min_choice_options: minimum, max_choice_options: most });
  return [notes.from(label, { id, name, ...counts, options })];
}

/** Converts add-ons without a section to a customization where all are optional. */
function addOnItems(context: PageContext, item: LdNode, items: readonly LdNode[], scope: ProductScope): object[] {
  if (items.length === 0) return [];
  const owner = permanentId(item) ?? firstLdText(context.graph, item, 'name');
  const id = scope.customizations.place(`${owner}/add-ons`, owner);
  const addOns = items.flatMap((one) => addOnOption(context, one, owner, scope));
  const { options } = soldOptions(addOns, 0);
  if (options.length === 0) return [];
  return [context.notes.from(nodeLabel(context.graph, item), { id, name: 'Add-ons', options })];
}

/** Converts an add-on to an option; one without a price is free. */
function addOnOption(context: PageContext, item: LdNode, place: string, scope: ProductScope): AddOn[] {
  const { graph, notes } = context;
  const label = nodeLabel(graph, item);
  if (!context.takePlace(item) || hasTooManyOptions(scope) || containsItself(notes, label, item, scope.way)) return [];
  const name = firstLdText(graph, item, 'name');
  const offers = schemaOffers(context, item);
  if (offers === null) return [];
  const id = scope.options.place(permanentId(item) ?? name, place);
  const within = { ...scope, way: [...scope.way, item] };
  const customizations = customizationsOf(context, item, offers, within);
  const price = lowestOf(offers) ?? 0;
  const option = notes.from(label, { id, name, price, food: schemaFood(context, item), customizations });
  return [{ option, isSold: offers.length === 0 || offers.some(({ available }) => available) }];
}

function choiceCount({ graph, notes }: PageContext, section: LdNode, text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  notes.fault(nodeLabel(graph, section), 'eligibleQuantity', 'expected whole numbers of at least 0');
  return undefined;
}

/** A priced offer of an item. */
type ItemOffer = { node: LdNode; id: string; name: string; cents: number; available: boolean };

/** Maximum depth of nested offers, as on real pages. */
const MAX_OFFER_DEPTH = 3;
const UNAVAILABLE = /(?:OutOfStock|SoldOut|Discontinued)$/;

/**
 * An item's priced offers; unnamed ones count once per price. Unavailable offers are ignored if there are available
 * ones, and unreadable prices alongside others. Null if no price of several can be read.
 */
function schemaOffers(context: PageContext, item: LdNode): ItemOffer[] | null {
  const read = nodesOf(context.graph, item, 'offers').flatMap((offer) => pricedOffers(context, item, offer, 1));
  const offers = read.filter((offer) => offer !== null);
  if (offers.length < read.length && offers.length === 0) return null;
  const available = offers.filter((offer) => offer.available);
  const seen = new Set<string>();
  return (available.length > 0 ? available : offers).filter(({ name, cents }) => {
    const said = `${cents} ${name}`;
    const isNew = !seen.has(said);
    seen.add(said);
    return isNew;
  });
}

function pricedOffers(context: PageContext, item: LdNode, offer: LdNode, depth: number): (ItemOffer | null)[] {
  const { graph } = context;
  const within = nodesOf(graph, offer, 'offers');
  if (within.length > 0 && depth < MAX_OFFER_DEPTH) {
    return within.flatMap((one) => pricedOffers(context, item, one, depth + 1));
  }
  const specifications = nodesOf(graph, offer, 'priceSpecification');
  const hasPrice = ['price', 'lowPrice', 'highPrice'].some((key) => firstLdText(graph, offer, key) !== '');
  const sources = hasPrice || specifications.length === 0 ? [offer] : specifications;
  return sources.flatMap((source) => {
    const cents = itemCents(context, item, source);
    if (cents === null) return [];
    if (Number.isNaN(cents)) return [null];
    const name = firstLdText(graph, source, 'name') || offeredName(context, offer);
    const gone = UNAVAILABLE.test(firstLdText(graph, offer, 'availability') || availabilityLink(context, offer));
    return [{ node: offer, id: source.id ?? (name || formatPrice(cents)), name, cents, available: !gone }];
  });
}

/** Reads a price in cents; null without one, NaN if it is unreadable, with a warning. */
function itemCents({ graph, notes, country }: PageContext, item: LdNode, source: LdNode): number | null {
  const text = (key: string) => firstLdText(graph, source, key);
  const [low, high] = [text('lowPrice'), text('highPrice')];
  const price = text('price') || (high === '' || high === low ? low : `${low} to ${high}`);
  if (price === '' && high === '') return null;
  const currency = currencyFault(text('priceCurrency'), country);
  if (currency !== null) notes.fault(nodeLabel(graph, item), 'offers.priceCurrency', currency);
  const read = readPrice(price || high, country);
  if (!read.ok) notes.warn(nodeLabel(graph, item), 'offers.price', `${read.expected}; left out`);
  return read.ok ? read.cents : Number.NaN;
}

function offeredName({ graph }: PageContext, offer: LdNode): string {
  const [offered] = nodesOf(graph, offer, 'itemOffered');
  const names = [firstLdText(graph, offer, 'name'), offered ? firstLdText(graph, offered, 'name') : ''];
  return (
    names.find((name) => name !== '') || firstLdText(graph, offer, 'description') || firstLdText(graph, offer, 'sku')
  );
}

/** An availability that is given as a reference. */
function availabilityLink({ graph }: PageContext, offer: LdNode): string {
  const [link] = nodesOf(graph, offer, 'availability');
  return link ? (link.id ?? '') : '';
}

/** An item's or section's menu hours, from its offers; undefined means all hours. */
function soldHours({ graph, notes }: PageContext, owner: LdNode): object | string | undefined {
  const times = nodesOf(graph, owner, 'offers').map((offer) => ({
    opens: firstLdText(graph, offer, 'availabilityStarts'),
    closes: firstLdText(graph, offer, 'availabilityEnds'),
    days: [],
  }));
  const ranges = rangesOfWeek(
    times.filter(({ opens, closes }) => opens !== '' && closes !== ''),
    (_, message) => notes.warn(nodeLabel(graph, owner), 'offers.availabilityStarts', message),
  );
  return ranges === null ? UNREADABLE : ranges && weekdayHours(ranges);
}

/** A menu item's food facts, as `food` of a line; undefined without any. */
function schemaFood({ graph, notes }: PageContext, item: LdNode): object | undefined {
  const diets = graph.values(item, 'suitableForDiet').map((value) => graph.nodeOf(value)?.id ?? ldText(value));
  const [nutrition] = nodesOf(graph, item, 'nutrition');
  const { food, lost } = readSourceFood({
    source: 'schema-org',
    diets: diets.filter((text) => text !== ''),
    allergens: [],
    nutrition: nutrition ? (property) => firstLdText(graph, nutrition, property) : null,
  });
  for (const { property, expected } of lost) notes.warn(nodeLabel(graph, item), property, expected);
  return food;
}
