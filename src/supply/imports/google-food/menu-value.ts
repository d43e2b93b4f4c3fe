import type { Mode } from '../../stores/store.ts';
import { FEED_LIMITS } from '../feed/feed-fields.ts';
import { PRICED_MODES } from '../read-price.ts';
import { createPlacedIds, type PlacedIds } from '../source-notes.ts';
import { googleProduct, modeOfService } from './item-value.ts';
import { availabilityOf } from './service-hours.ts';
import { entityValue, firstText, type GraphEntity, isTrue, type RestaurantContext } from './store-graph.ts';

/** A menu with its modes. */
type MenuUse = { menu: GraphEntity; modes: readonly Mode[] };

type MenuWalk = {
  context: RestaurantContext;
  /** Modes of each section, from all menus that contain it. */
  modesOf: ReadonlyMap<string, ReadonlySet<Mode>>;
  categoryIds: PlacedIds;
  productIds: PlacedIds;
  /** Sections that already became categories, with their menu. */
  placed: Map<string, string>;
};

/** A restaurant's services, except disabled ones. */
export function servicesOf({ graph }: RestaurantContext): { service: GraphEntity; mode: Mode }[] {
  return graph.below(graph.restaurant, 'Service').flatMap((service) => {
    const mode = modeOfService(entityValue(service, 'serviceType'));
    return mode && !isTrue(service, 'isDisabled') ? [{ service, mode }] : [];
  });
}

/**
 * A restaurant's menus as a line's categories. A section becomes one category, in all modes of its menus; an item
 * becomes a product in each of its sections.
 */
export function googleCategories(context: RestaurantContext): object[] {
  const uses = menuUses(context);
  const walk: MenuWalk = {
    context,
    modesOf: sectionModes(context, uses),
    categoryIds: createPlacedIds(),
    productIds: createPlacedIds(),
    placed: new Map(),
  };
  return uses.flatMap((use) => menuCategories(walk, use));
}

function menuUses(context: RestaurantContext): MenuUse[] {
  const { graph } = context;
  const services = servicesOf(context);
  const offered = new Set(services.map(({ mode }) => mode));
  const uses = new Map<string, { menu: GraphEntity; modes: Set<Mode> }>();
  for (const { service, mode } of services) {
    for (const menu of graph.below(service, 'Menu')) {
      const use = uses.get(menu.label) ?? { menu, modes: new Set<Mode>() };
      uses.set(menu.label, use);
      use.modes.add(mode);
    }
  }
  for (const menu of uses.size === 0 ? graph.below(graph.restaurant, 'Menu') : []) {
    uses.set(menu.label, { menu, modes: new Set(PRICED_MODES) });
  }
  // A menu of every service needs no restriction.
  return [...uses.values()].map(({ menu, modes }) => ({
    menu,
    modes: modes.size === offered.size ? PRICED_MODES : PRICED_MODES.filter((mode) => modes.has(mode)),
  }));
}

function sectionModes({ graph }: RestaurantContext, uses: readonly MenuUse[]): Map<string, Set<Mode>> {
  const modesOf = new Map<string, Set<Mode>>();
  for (const { menu, modes } of uses) {
    const seen = new Set<string>();
    const open = [menu];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next.label)) continue;
      seen.add(next.label);
      modesOf.set(next.label, new Set([...(modesOf.get(next.label) ?? []), ...modes]));
      open.push(...graph.below(next, 'MenuSection'));
    }
  }
  return modesOf;
}

function menuCategories(walk: MenuWalk, { menu }: MenuUse): object[] {
  const { graph, notes } = walk.context;
  const products = googleProducts(walk, menu);
  const own =
    products.length === 0
      ? []
      : [
          notes.from(menu.label, {
            id: walk.categoryIds.place(menu.id, 'menu'),
            name: firstText(menu, 'name') || 'Menu',
            products,
          }),
        ];
  const sections = graph.below(menu, 'MenuSection').flatMap((section) => googleCategory(walk, section, menu, 1));
  return [...own, ...sections];
}

/** Converts a section to a category; empty if it was already placed, or has no products. */
function googleCategory(walk: MenuWalk, section: GraphEntity, menu: GraphEntity, depth: number): object[] {
  const { context, placed } = walk;
  const { graph, notes } = context;
  const before = placed.get(section.label);
  if (before === menu.label) notes.warn(section.label, '', 'expected in one place of its menu; left out of this one');
  if (before !== undefined || !context.takePlace(section)) return [];
  if (depth > FEED_LIMITS.categoryDepth) {
    notes.fault(section.label, '', `expected at most ${FEED_LIMITS.categoryDepth} levels of sections`);
    return [];
  }
  placed.set(section.label, menu.label);
  const products = googleProducts(walk, section);
  const below = graph.below(section, 'MenuSection').flatMap((one) => googleCategory(walk, one, menu, depth + 1));
  if (products.length === 0 && below.length === 0) return [];
  const id = walk.categoryIds.place(section.id, menu.id);
  const name = firstText(section, 'name');
  const hours = availabilityOf(context, section);
  if (below.length === 0) return [notes.from(section.label, { id, name, hours, products })];
  // A category has either products or subcategories, so products beside sections get a category of the same name.
  const own = { id: `${section.id}/items`, name, products };
  const ownCategory = notes.from(section.label, { ...own, id: walk.categoryIds.place(own.id, menu.id) });
  const categories = products.length === 0 ? below : [ownCategory, ...below];
  return [notes.from(section.label, { id, name, hours, categories })];
}

function googleProducts({ context, modesOf, productIds }: MenuWalk, section: GraphEntity): object[] {
  const allowed = modesOf.get(section.label);
  const modes = PRICED_MODES.filter((mode) => allowed?.has(mode));
  return context.graph.below(section, 'MenuItem').flatMap((item) => {
    if (!context.takePlace(item)) return [];
    const product = googleProduct(context, item, productIds.place(item.id, section.id), modes);
    return product ? [product] : [];
  });
}
