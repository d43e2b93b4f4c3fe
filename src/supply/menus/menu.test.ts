import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { type Category, type Edits, feedSide, type Item, type Menu, patchMenu, TOP } from './menu.ts';
import {
  currentPatches,
  importedEdits,
  isSamePatches,
  itemPatch,
  type MenuPatches,
  NO_PATCHES,
  placeAt,
  withDroppedHomes,
  withFeedLists,
  withPatches,
} from './menu-edits.ts';
import { parseItem } from './menu-entry.ts';

/** The fields that histories change. `pickup`: null follows the price. */
type Fields = { category: string; name: string; price: number; pickup: number | null };
type Feed = readonly { id: string; items: readonly (Omit<Fields, 'category'> & { id: string })[] }[];
const price = fc.integer({ min: 1, max: 4 });
const fields = { name: fc.constantFrom('A', 'B'), price, pickup: fc.option(price) };
const CATEGORIES = ['x', 'y'];
const feeds: fc.Arbitrary<Feed> = fc
  .tuple(fc.shuffledSubarray(CATEGORIES, { minLength: 1 }), fc.shuffledSubarray(['1', '2', '3', '4', '5']))
  .chain(([categories, ids]) =>
    fc.array(fc.record({ at: fc.nat(1), ...fields }), { minLength: ids.length, maxLength: ids.length }).map((all) =>
      categories.map((id, n) => ({
        id,
        items: ids.flatMap((one, at) => {
          const { at: home, ...rest } = all[at] ?? assert.fail();
          return home % categories.length === n ? [{ id: one, ...rest }] : [];
        }),
      })),
    ),
  );
const at = fc.nat(20);
const acts = fc.oneof(
  fc.record({ act: fc.constant('import' as const), feed: feeds }),
  fc.record({ act: fc.constant('edit' as const), at, to: fc.record(fields, { requiredKeys: [] }) }),
  fc.record({ act: fc.constant('move' as const), at, to: at }),
  fc.record({ act: fc.constant('remove' as const), at }),
  fc.record({ act: fc.constant('add' as const), at, to: fc.record(fields) }),
  fc.record({ act: fc.constant('sort' as const), at, to: at }),
  fc.record({ act: fc.constant('as feed' as const), at }),
  fc.record({ act: fc.constant('undo' as const), at }),
);
type Act = typeof acts extends fc.Arbitrary<infer One> ? One : never;

function itemOf({ category, pickup, ...plain }: Fields): Item {
  const read = parseItem({ ...plain, pickup_price: pickup });
  assert.ok(read.ok);
  return { categoryId: category, entry: read.value };
}
const plainOf = ({ categoryId, entry: { name, price, pickupPrice } }: Item): Fields => ({
  category: categoryId,
  name,
  price,
  pickup: pickupPrice === price ? null : pickupPrice,
});
function menuOf(feed: Feed): Menu {
  const categories = feed.map(({ id }): [string, Category] => [
    id,
    { parentId: null, name: id, hours: null, taxClass: null },
  ]);
  const items = feed.flatMap(({ id: category, items }) =>
    items.map(({ id, ...item }): [string, Item] => [id, itemOf({ category, ...item })]),
  );
  return {
    categories: new Map(categories),
    children: new Map([[TOP, feed.map(({ id }) => id)]]),
    items: new Map(items),
    leaves: new Map(CATEGORIES.map((id) => [id, feed.find((one) => one.id === id)?.items.map((one) => one.id) ?? []])),
  };
}

/** The plain model of an item: the feed's values, and the fields set by the store. */
type Known = { feed: Fields | null; own: Partial<Fields>; isAdded: boolean; isRemoved: boolean; isMarked: boolean };
const NEW: Known = { feed: null, own: {}, isAdded: false, isRemoved: false, isMarked: false };

const plain = (item: Fields) => ({ ...item, pickup: item.pickup === item.price ? null : item.pickup });
function shownOf({ feed, own, isAdded, isRemoved }: Known, categories: readonly string[]): Fields | null {
  if (isRemoved || (!feed && !isAdded)) return null;
  const fields = plain({ ...(feed ?? itemless), ...own });
  // An item whose category the feed has dropped is where the feed has it.
  return categories.includes(fields.category) || !feed ? fields : { ...fields, category: feed.category };
}
const itemless: Fields = { category: '', name: '', price: 0, pickup: null };

/** The store sends all fields: fields that differ from the feed's, or that it had set so before, are its own. */
function edited(known: Known, sent: Fields): Known {
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(sent) as (keyof Fields)[]) {
    const isKept = Object.hasOwn(known.own, key) && known.own[key] === sent[key];
    if (known.isAdded || isKept || known.feed?.[key] !== sent[key]) own[key] = sent[key];
  }
  return { ...known, own, isMarked: false };
}

/** A menu with its edits and history alongside the model, with the acts of a store and its feed. */
class History {
  menu: Menu;
  feed: Menu;
  edits: Edits = { categories: new Map(), items: new Map(), sequences: new Map() };
  readonly known = new Map<string, Known>();
  private readonly changes: { id: string | null; before: MenuPatches; after: MenuPatches; was: Known; is: Known }[] =
    [];
  private seq = 0;

  constructor(feed: Feed) {
    this.feed = menuOf(feed);
    this.menu = this.feed;
    for (const [id, item] of this.feed.items) this.known.set(id, { ...NEW, feed: plainOf(item) });
  }

  take(one: Act): void {
    this.seq += 1;
    if (one.act === 'import') this.import(menuOf(one.feed));
    else if (one.act === 'undo') this.undo(this.changes[one.at % Math.max(1, this.changes.length)]);
    else this.change(one);
  }

  private change(one: Exclude<Act, { act: 'import' | 'undo' }>): void {
    const lists = [...this.menu.leaves].filter(([id]) => this.menu.categories.has(id));
    const [category, list] = lists[one.at % lists.length] ?? assert.fail();
    if (one.act === 'add') this.add(category, one.at % (list.length + 1), { category, ...one.to });
    else if (one.act === 'sort') {
      const to = list.toSorted((a, b) => ((Number(a) * 7 + one.to) % 5) - ((Number(b) * 7 + one.to) % 5));
      this.set(null, NEW, { ...NO_PATCHES, sequences: { [category]: to } });
    } else {
      const ids = lists.flatMap(([, all]) => all);
      const id = ids[one.at % Math.max(1, ids.length)];
      if (id === undefined) return;
      if (one.act === 'remove') this.remove(id);
      else if (one.act === 'as feed') this.asFeed(id);
      else if (one.act === 'edit') this.edit(id, one.to);
      else this.edit(id, { category: lists[one.to % lists.length]?.[0] ?? category });
    }
  }

  private import(feed: Menu): void {
    const edits = withDroppedHomes(this.edits, { menu: this.menu, feed, seq: this.seq });
    const next = patchMenu(feed, edits);
    this.edits = importedEdits(edits, feed, next);
    for (const id of new Set([...this.known.keys(), ...feed.items.keys()])) {
      const before = this.known.get(id) ?? NEW;
      const item = feed.items.get(id);
      const now = item ? plainOf(item) : null;
      const isChanged = (key: string) => before.feed && now && Reflect.get(before.feed, key) !== Reflect.get(now, key);
      const isMarked = before.isMarked || (!before.isRemoved && Object.keys(before.own).some(isChanged));
      const { category, ...own } = before.own;
      const isHomeless = category !== undefined && !next.categories.has(category) && now !== null;
      const left = isHomeless ? own : before.own;
      this.known.set(id, { ...before, feed: now, isMarked: isMarked && Object.keys(left).length > 0, own: left });
    }
    this.feed = feed;
    this.menu = patchMenu(feed, this.edits);
    assert.deepEqual(this.menu, next, 'edits after an import make the same menu');
  }

  private set(id: string | null, is: Known, patches: MenuPatches): void {
    const before = currentPatches(this.edits, patches);
    if (isSamePatches(before, patches)) return;
    const was = id === null ? NEW : (this.known.get(id) ?? NEW);
    const edits = withPatches(this.edits, patches, this.feed);
    const menu = patchMenu(this.feed, edits);
    // An undo that would bring an item back into a category that has left is refused.
    const wanted = id === null ? undefined : edits.items.get(id)?.patch?.categoryId;
    if (wanted !== undefined && (menu.items.get(id ?? '')?.categoryId ?? wanted) !== wanted) return;
    this.edits = withFeedLists(edits, this.feed, menu);
    this.menu = menu;
    if (id !== null) this.known.set(id, is);
    this.changes.push({ id, before, after: patches, was, is });
  }

  private undo(change: (typeof this.changes)[number] | undefined): void {
    if (!change || !isSamePatches(change.after, currentPatches(this.edits, change.after))) return;
    const { id, before, was } = change;
    const now = id === null ? NEW : (this.known.get(id) ?? NEW);
    this.set(id, { ...was, feed: now.feed, isMarked: false }, before);
  }

  private add(category: string, position: number, item: Fields): void {
    const id = `${100 + this.seq}`;
    const place = placeAt(this.menu.leaves.get(category) ?? [], position, this.seq);
    const patch = itemPatch(itemOf(item), undefined, place);
    this.set(id, { ...NEW, own: plain(item), isAdded: true }, { ...NO_PATCHES, items: { [id]: patch } });
    assert.equal(this.menu.leaves.get(category)?.[position], id, 'a new item is where the store puts it');
  }

  private edit(id: string, to: Partial<Fields>): void {
    const item = this.menu.items.get(id) ?? assert.fail();
    const sent = plain({ ...plainOf(item), ...to });
    const list = this.menu.leaves.get(sent.category) ?? [];
    const known = this.edits.items.get(id)?.patch;
    const before = item.categoryId === sent.category ? known : { ...known, ...placeAt(list, list.length, this.seq) };
    const patch = itemPatch(itemOf(sent), this.feed.items.get(id), before);
    this.set(id, edited(this.known.get(id) ?? NEW, sent), { ...NO_PATCHES, items: { [id]: patch } });
  }

  private remove(id: string): void {
    const known = this.known.get(id) ?? assert.fail();
    const is = known.isAdded ? { ...NEW } : { ...known, own: {}, isRemoved: true, isMarked: false };
    this.set(id, is, { ...NO_PATCHES, items: { [id]: known.isAdded ? {} : null } });
  }

  private asFeed(id: string): void {
    const known = this.known.get(id) ?? assert.fail();
    if (!known.isAdded) this.set(id, { ...NEW, feed: known.feed }, { ...NO_PATCHES, items: { [id]: {} } });
  }

  check(): void {
    const categories = [...this.menu.categories.keys()];
    const expected = [...this.known].flatMap(([id, known]) => {
      const shown = shownOf(known, categories);
      return shown ? [[id, shown, known.isMarked] as const] : [];
    });
    const shown = [...this.menu.items].map(
      ([id, item]) => [id, plainOf(item), this.edits.items.get(id)?.feedChanged ?? false] as const,
    );
    const byId = (a: readonly unknown[], b: readonly unknown[]) => Number(a[0]) - Number(b[0]);
    assert.deepEqual(shown.toSorted(byId), expected.toSorted(byId));
    for (const [category, list] of this.menu.leaves) {
      const ids = shown.filter(([, item]) => item.category === category).map(([id]) => id);
      assert.deepEqual(list.toSorted(), ids.toSorted(), 'each item is in one list');
      const feed = (this.feed.leaves.get(category) ?? []).filter((id) => ids.includes(id));
      const sorted = this.edits.sequences.get(category)?.patch ?? feed;
      const both = list.filter((id) => sorted.includes(id));
      assert.deepEqual(
        both,
        sorted.filter((id) => both.includes(id)),
        'the store’s sequence, else the feed’s',
      );
    }
    const side = feedSide(this.menu, this.edits);
    assert.deepEqual(patchMenu(side, this.edits), this.menu, 'a menu is made of its own feed side again');
    const present = (menu: Menu) => [...menu.leaves].map(([id, list]) => [id, list]);
    assert.deepEqual(present(side), present(this.feed), 'the feed side of a menu is the feed');
    assert.deepEqual(new Map([...side.items].toSorted()), new Map([...this.feed.items].toSorted()));
  }
}

test('any history of feed, edits, undos and ended edits: a field is the store’s from its edit to its end, all else the feed’s', () => {
  fc.assert(
    fc.property(feeds, fc.array(acts, { minLength: 8, maxLength: 16 }), (feed, history) => {
      const made = new History(feed);
      for (const one of history) {
        made.take(one);
        made.check();
      }
    }),
    { numRuns: runs(10_000) },
  );
});
