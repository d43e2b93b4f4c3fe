import type { MenuHours } from '../stores/menu-hours.ts';

/** A category of a store as the inventory shows it. */
export type MenuCategory = {
  categoryNo: number;
  parentNo: number | null;
  name: string;
  isLeaf: boolean;
  /** Of the category and of every category above it. */
  menuHours: MenuHours;
};

/** The leaves of a forest in the order of a walk through it; siblings keep their order. */
export function leavesOf(categories: readonly MenuCategory[], parentNo: number | null = null): MenuCategory[] {
  const children = Map.groupBy(categories, (category) => category.parentNo);
  const leaves: MenuCategory[] = [];
  const stack = [...(children.get(parentNo) ?? [])].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next.isLeaf) leaves.push(next);
    else stack.push(...[...(children.get(next.categoryNo) ?? [])].reverse());
  }
  return leaves;
}
