import { FEED_LIMITS } from '../feed/feed-limits.ts';
import { createPlacedIds, type PlacedIds } from '../source-ids.ts';
import { productOf } from './item-value.ts';
import { firstText, type LdNode, nodesOf } from './nodes.ts';
import { soldHours } from './offers.ts';
import { isLost, labelOf, lastingId, type StoreContext } from './store-context.ts';

type MenuWalk = { context: StoreContext; categoryIds: PlacedIds; productIds: PlacedIds };
type Above = { id: string; way: readonly LdNode[] };

/** The menus of a store as the categories of a store line; several menus are a category each. */
export function categoriesOf(context: StoreContext, menus: readonly LdNode[]): object[] {
  const walk: MenuWalk = { context, categoryIds: createPlacedIds(), productIds: createPlacedIds() };
  if (menus.length > 1) return menus.flatMap((menu) => categoryOf(walk, menu, { id: '', way: [] }));
  return menus.flatMap((menu) => {
    const above = { id: '', way: [menu] };
    const sections = sectionsOf(walk, menu, above);
    const own = productsOf(walk, menu, lastingId(menu) ?? 'menu');
    if (own.length === 0) return sections;
    const id = walk.categoryIds.place(lastingId(menu) ?? 'menu', 'menu');
    const name = firstText(context.graph, menu, 'name') || 'Menu';
    return [context.notes.from(labelOf(context.graph, menu), { id, name, products: own }), ...sections];
  });
}

function sectionsOf(walk: MenuWalk, node: LdNode, above: Above): object[] {
  return nodesOf(walk.context.graph, node, 'hasMenuSection').flatMap((section) =>
    isLost(walk.context, section, node, 'hasMenuSection') ? [] : categoryOf(walk, section, above),
  );
}

/** A section as a category; empty where it has no products, or contains itself. */
function categoryOf(walk: MenuWalk, section: LdNode, above: Above): object[] {
  const { context, categoryIds } = walk;
  const { graph, notes } = context;
  const label = labelOf(graph, section);
  if (above.way.includes(section)) {
    notes.warn(label, '', 'expected no section within itself; left out');
    return [];
  }
  if (above.way.length > FEED_LIMITS.categoryDepth) {
    notes.fault(label, '', `expected at most ${FEED_LIMITS.categoryDepth} levels of sections`);
    return [];
  }
  if (!context.takePlace(section)) return [];
  const name = firstText(graph, section, 'name');
  const id = categoryIds.place(lastingId(section) ?? pathOf(above.id, name), above.id);
  const products = productsOf(walk, section, id);
  const below = sectionsOf(walk, section, { id, way: [...above.way, section] });
  if (products.length === 0 && below.length === 0) return [];
  const hours = soldHours(context, section);
  if (below.length === 0) return [notes.from(label, { id, name, hours, products })];
  // A category has products or categories: products beside sections have a category of the same name.
  const own = notes.from(label, { id: categoryIds.place(`${id}/items`, id), name, products });
  return [notes.from(label, { id, name, hours, categories: products.length === 0 ? below : [own, ...below] })];
}

function productsOf({ context, productIds }: MenuWalk, section: LdNode, categoryId: string): object[] {
  return nodesOf(context.graph, section, 'hasMenuItem').flatMap((item) => {
    if (isLost(context, item, section, 'hasMenuItem') || !context.takePlace(item)) return [];
    const own = lastingId(item) ?? pathOf(categoryId, firstText(context.graph, item, 'name'));
    return productOf(context, item, () => productIds.place(own, categoryId));
  });
}

function pathOf(above: string, name: string): string {
  return above === '' ? name : `${above}/${name}`;
}
