import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Client, Reply } from '../harness.ts';

/** Random edits of a store's menu, over the Store API. */

export type MenuStep = { kind: number; at: number; to: number; word: number; price: number };
export const WORDS = ['Falafel', 'Ramen', 'Burrito', 'Chowder'];
const KINDS = 12;
export const menuSteps: fc.Arbitrary<MenuStep> = fc.record({
  kind: fc.nat(KINDS - 1),
  at: fc.nat(20),
  to: fc.nat(20),
  word: fc.nat(WORDS.length - 1),
  price: fc.nat(3),
});

type Item = { item_id: string; category_id: string; version: string; name: string; available: boolean; price: number };
type Category = { category_id: string; parent_id: string | null; version: string; name: string; items: Item[] };
type Chosen = MenuStep & {
  lists: readonly Category[];
  list: Category;
  one: Item;
  leaf: Category;
  name: string;
  item: object;
};

/** Fields of an item as an edit sends them. */
export function fieldsOf(item: object): Record<string, unknown> {
  const {
    item_id: _,
    category_id: __,
    version: ___,
    origin: ____,
    feed_changed: _____,
    ...rest
  } = item as Record<string, unknown>;
  const { available: ______, qty_available: _______, options_off: ________, ...fields } = rest;
  return fields;
}

const plainItem = ({ price }: MenuStep, name: string) => ({
  name,
  price: 100 + price,
  modes: price === 0 ? ['pickup'] : ['delivery', 'pickup'],
});

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
const path = encodeURIComponent;

/** An editor with the Store API. `itemOf` has the fields of what it adds and edits. */
export function menuEditor(key: Client, itemOf: (step: MenuStep, name: string) => object = plainItem) {
  let changes: string[] = [];
  const itemsOf = async (categoryId: string): Promise<Item[]> =>
    (await key.get('/store/menu/items', { category_id: categoryId })).body.items;
  const read = async (): Promise<Category[]> => {
    const { categories } = (await key.get('/store/menu')).body as { categories: Category[] };
    return Promise.all(categories.map(async (one) => ({ ...one, items: await itemsOf(one.category_id) })));
  };
  const edit = (item: Item, categoryId: string, fields: object) =>
    key.put(`/store/menu/items/${path(item.item_id)}`, {
      category_id: categoryId,
      version: item.version,
      item: { ...fieldsOf(item), ...fields },
    });
  const add = ({ leaf, item, to }: Pick<Chosen, 'leaf' | 'item' | 'to'>) =>
    key.post('/store/menu/items', { category_id: leaf.category_id, item, position: to });
  const sort = ({ list, at, to }: Chosen) => {
    const from = list.items.map(({ item_id: id }) => id);
    const moved = from.splice(at % Math.max(1, from.length), 1);
    const all = list.items.map(({ item_id: id }) => id);
    const sequence = { category_id: list.category_id, from: all, to: from.toSpliced(to, 0, ...moved) };
    return key.put('/store/menu/sequence', sequence);
  };
  const acts: ((chosen: Chosen) => Promise<Reply> | undefined)[] = [
    add,
    ({ one, item }) => edit(one, one.category_id, item),
    ({ one, item }) => edit(one, one.category_id, item),
    ({ one, leaf, item }) => edit(one, leaf.category_id, item),
    ({ one, lists }) =>
      lists.flatMap(({ items }) => items).length < 5
        ? undefined
        : key.post(`/store/menu/items/${path(one.item_id)}/remove`, { version: one.version }),
    ({ lists, list, name, to }) =>
      lists.length > 5
        ? undefined
        : key.post('/store/menu/categories', { name, parent_id: to % 2 ? null : list.category_id }),
    ({ list, name }) => key.put(`/store/menu/categories/${path(list.category_id)}`, { name, version: list.version }),
    ({ lists, list }) =>
      lists.length < 3
        ? undefined
        : key.post(`/store/menu/categories/${path(list.category_id)}/remove`, { version: list.version }),
    sort,
    ({ one }) => key.patch(`/store/products/${path(one.item_id)}`, { available: !one.available }),
    ({ at }) => (changes.length === 0 ? undefined : key.post(`/store/menu/changes/${pick(changes, at)}/undo`, {})),
    ({ lists }) => {
      const from = lists.filter((one) => one.parent_id === null).map((one) => one.category_id);
      return key.put('/store/menu/sequence', { category_id: null, from, to: from.toReversed() });
    },
  ];
  return {
    read,
    edit,
    /** Takes a step on the menu as it is; one that does not fit is refused or left out. Returns whether it changed. */
    async act(step: MenuStep, known?: readonly Category[]): Promise<boolean> {
      const { kind, at, to, word } = step;
      const lists = known ?? (await read());
      const isLeaf = ({ category_id: id }: Category) => lists.every((one) => one.parent_id !== id);
      const [list, one, leaf] = [
        pick(lists, at),
        pick(
          lists.flatMap(({ items }) => items),
          at,
        ),
        pick(lists.filter(isLeaf), to),
      ];
      const name = WORDS[word] ?? '';
      const item = itemOf(step, name);
      const addCategory = () => key.post('/store/menu/categories', { name, parent_id: null });
      // A menu that has lost its categories or items gets new ones.
      const reply = await (!list || !leaf
        ? addCategory()
        : one
          ? acts[kind]?.({ ...step, lists, list, one, leaf, name, item })
          : add({ leaf, item, to }));
      assert.ok((reply?.status ?? 200) < 500, reply?.text ?? '');
      const change: unknown = reply?.body?.change_id;
      if (typeof change === 'string') changes = [...changes, change].slice(-8);
      return typeof change === 'string';
    },
  };
}
