import { FEED_LIMITS } from '../feed/feed-limits.ts';
import { createPlacedIds, type PlacedIds } from '../source-ids.ts';
import { foodOf } from './food-value.ts';
import { firstText, type LdGraph, type LdNode, nodesOf, textOf } from './nodes.ts';
import { type ItemOffer, offersOf, soldHours } from './offers.ts';
import { isLost, labelOf, lastingId, type StoreContext } from './store-context.ts';

/** Ids that a product has given away, and the things on the way to where its choices are read. */
type ProductScope = { customizations: PlacedIds; options: PlacedIds; way: readonly LdNode[] };

/** A menu item as a product of a store line; empty where it has no price, which is reported. */
export function productOf(context: StoreContext, item: LdNode, idOf: () => string): object[] {
  const { graph, notes } = context;
  const label = labelOf(graph, item);
  const offers = offersOf(context, item);
  const price = lowestOf(offers);
  if (price === null) {
    notes.warn(label, 'offers', 'expected an offer with a price; left out');
    return [];
  }
  const scope = { customizations: createPlacedIds(), options: createPlacedIds(), way: [item] };
  return [
    notes.from(label, {
      id: idOf(),
      name: firstText(graph, item, 'name'),
      description: firstText(graph, item, 'description'),
      price,
      image: picturesOf(graph, item, 'image')[0],
      available: offers.some(({ available }) => available),
      hours: soldHours(context, item),
      food: foodOf(context, item),
      customizations: customizationsOf(context, item, offers, scope),
    }),
  ];
}

/** Addresses of pictures: texts, or things with an address. */
export function picturesOf(graph: LdGraph, node: LdNode, property: string): string[] {
  return graph.values(node, property).flatMap((value) => {
    const picture = graph.nodeOf(value);
    const fromNode = (one: LdNode) =>
      firstText(graph, one, 'contentUrl') || firstText(graph, one, 'url') || one.id || '';
    const text = picture ? fromNode(picture) : textOf(value);
    return text === '' ? [] : [text];
  });
}

function lowestOf(offers: readonly ItemOffer[]): number | null {
  return offers.length === 0 ? null : offers.reduce((low, { cents }) => Math.min(low, cents), Number.MAX_SAFE_INTEGER);
}

function customizationsOf(
  context: StoreContext,
  item: LdNode,
  offers: readonly ItemOffer[],
  scope: ProductScope,
): object[] {
  if (scope.way.length > 2 * FEED_LIMITS.customizationDepth + 2) return [];
  const addOns = nodesOf(context.graph, item, 'menuAddOn').filter((one) => !isLost(context, one, item, 'menuAddOn'));
  const sections = addOns.filter((one) => nodesOf(context.graph, one, 'hasMenuItem').length > 0);
  const isSection = new Set(sections);
  const single = addOns.filter((one) => !isSection.has(one));
  return [
    ...choiceGroup(context, item, offers, scope),
    ...sections.flatMap((section) => addOnSection(context, item, section, scope)),
    ...addOnItems(context, item, single, scope),
  ];
}

/** The required single choice among the offers of an item: each option costs its price less the price of the cheapest offer. */
function choiceGroup(context: StoreContext, item: LdNode, offers: readonly ItemOffer[], scope: ProductScope): object[] {
  const lowest = lowestOf(offers);
  if (offers.length < 2 || lowest === null) return [];
  const { graph, notes } = context;
  const owner = lastingId(item) ?? firstText(graph, item, 'name');
  const groupId = scope.customizations.place('offers', owner);
  const options = offers.flatMap(({ id, name, cents, node }) => {
    if (!context.takePlace(node) || isFull(scope)) return [];
    return [
      notes.from(labelOf(graph, item), { id: scope.options.place(id, owner), name: name || id, price: cents - lowest }),
    ];
  });
  const group = { id: groupId, name: 'Choose one', min_choice_options: 1, max_choice_options: 1, options };
  return [notes.from(labelOf(graph, item), group)];
}

/** An add-on section as a customization of its items; `eligibleQuantity` bounds the choice where it is present. */
function addOnSection(context: StoreContext, item: LdNode, section: LdNode, scope: ProductScope): object[] {
  const { graph, notes } = context;
  if (!context.takePlace(section) || isFull(scope) || repeats(context, section, scope)) return [];
  const label = labelOf(graph, section);
  const name = firstText(graph, section, 'name') || 'Options';
  const id = scope.customizations.place(lastingId(section) ?? name, lastingId(item) ?? firstText(graph, item, 'name'));
  const within = { ...scope, way: [...scope.way, section] };
  const items = nodesOf(graph, section, 'hasMenuItem').filter((one) => !isLost(context, one, section, 'hasMenuItem'));
  const addOns = items.flatMap((one) => addOnOption(context, one, id, within));
  const [quantity] = nodesOf(graph, section, 'eligibleQuantity');
  const least = quantity && countOf(context, section, firstText(graph, quantity, 'minValue'));
  const most = quantity && countOf(context, section, firstText(graph, quantity, 'maxValue'));
  if (addOns.length < (least ?? 0) && !isFull(scope)) {
    notes.fault(label, '', `expected at least ${least} items to choose from, found ${addOns.length}`);
  }
  const options = soldOptions(addOns, least ?? 0);
  if (options.length === 0) return [];
  const counts = {
    ...(least === undefined ? {} : { min_choice_options: least }),
    ...(most === undefined ? {} : { max_choice_options: most }),
  };
  return [notes.from(label, { id, name, ...counts, options })];
}

/** Add-ons without a section, any of which may be chosen. */
function addOnItems(context: StoreContext, item: LdNode, items: readonly LdNode[], scope: ProductScope): object[] {
  if (items.length === 0) return [];
  const owner = lastingId(item) ?? firstText(context.graph, item, 'name');
  const id = scope.customizations.place(`${owner}/add-ons`, owner);
  const addOns = items.flatMap((one) => addOnOption(context, one, owner, scope));
  const options = soldOptions(addOns, 0);
  if (options.length === 0) return [];
  return [context.notes.from(labelOf(context.graph, item), { id, name: 'Add-ons', options })];
}

/** An option, and whether its add-on is sold now. */
type AddOn = { option: object; isSold: boolean };

/** The options that are sold; all of them where too few are sold for a required choice. */
function soldOptions(addOns: readonly AddOn[], least: number): object[] {
  const sold = addOns.filter(({ isSold }) => isSold);
  return (sold.length < least ? addOns : sold).map(({ option }) => option);
}

/** An add-on with no price of its own costs nothing more. */
function addOnOption(context: StoreContext, item: LdNode, place: string, scope: ProductScope): AddOn[] {
  const { graph, notes } = context;
  if (!context.takePlace(item) || isFull(scope) || repeats(context, item, scope)) return [];
  const name = firstText(graph, item, 'name');
  const offers = offersOf(context, item);
  const id = scope.options.place(lastingId(item) ?? name, place);
  const within = { ...scope, way: [...scope.way, item] };
  const customizations = customizationsOf(context, item, offers, within);
  const price = lowestOf(offers) ?? 0;
  const option = notes.from(labelOf(graph, item), { id, name, price, food: foodOf(context, item), customizations });
  return [{ option, isSold: offers.length === 0 || offers.some(({ available }) => available) }];
}

function countOf({ graph, notes }: StoreContext, section: LdNode, text: string): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  notes.fault(labelOf(graph, section), 'eligibleQuantity', 'expected whole numbers of at least 0');
  return undefined;
}

function repeats({ graph, notes }: StoreContext, node: LdNode, { way }: ProductScope): boolean {
  if (!way.includes(node)) return false;
  notes.warn(labelOf(graph, node), '', 'expected no add-ons that lead back to themselves; left out');
  return true;
}

/** Stops one option above the limit, so that the line's reader refuses the product. */
function isFull({ options }: ProductScope): boolean {
  return options.size > FEED_LIMITS.optionsPerProduct;
}
