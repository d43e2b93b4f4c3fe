import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { parseItem, presentEntry } from './menu-entry.ts';
import { mergeItem, mergeSequence } from './merge-menu.ts';

const price = fc.integer({ min: 0, max: 5 });
const name = fc.constantFrom('A', 'B', 'C');
type Group = {
  id: string;
  name: string;
  options: { id: string; name: string; price: number; customizations: Group[] }[];
};
/** Ids say where they stand, so that both sides may have the same ones. */
const groups = (at: string, depth: number): fc.Arbitrary<Group[]> =>
  fc.subarray(['x', 'y']).chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.record({
          id: fc.constant(at + id),
          name,
          options: fc.subarray(['1', '2', '3']).chain((ns) =>
            fc.tuple(
              ...ns.map((n) =>
                fc.record({
                  id: fc.constant(at + id + n),
                  name,
                  price,
                  customizations: depth === 0 ? fc.constant<Group[]>([]) : groups(at + id + n, depth - 1),
                }),
              ),
            ),
          ),
        }),
      ),
    ),
  );
const item = fc.record({
  category: fc.constantFrom('c', 'd'),
  name,
  price,
  description: fc.option(name),
  hours: fc.option(fc.constantFrom('Mo-Su 11:00-22:00', 'Mo-Fr 08:00-10:00')),
  customizations: groups('', 1),
});
type Plain = {
  category: string;
  name: string;
  price: number;
  description: string | null;
  hours: string | null;
  customizations: Group[];
};
const entryOf = (plain: Plain) => {
  const { category, ...fields } = plain;
  const read = parseItem(fields);
  assert.ok(read.ok, JSON.stringify(read));
  return { categoryId: category, entry: read.value };
};

/** The values of an item by their paths; of a list the presence of each member. */
function valuesOf({ category, customizations, ...fields }: Plain): Map<string, unknown> {
  const values = new Map<string, unknown>(Object.entries({ category, ...fields }));
  const walk = (list: readonly Group[], at: string) => {
    for (const group of list) {
      values.set(`${at}/${group.id}`, true);
      values.set(`${at}/${group.id}.name`, group.name);
      for (const option of group.options) {
        values.set(`${at}/${group.id}/${option.id}`, true);
        values.set(`${at}/${group.id}/${option.id}.name`, option.name);
        values.set(`${at}/${group.id}/${option.id}.price`, option.price);
        walk(option.customizations, `${at}/${group.id}/${option.id}`);
      }
    }
  };
  walk(customizations, '');
  return values;
}

/** Of a member that all three have, the rule; of another, the value of one of the sides that have it. */
function assertRule(path: string, value: unknown, [was, mine, is]: readonly unknown[]): void {
  if ([was, mine, is].includes(undefined)) assert.ok(value === mine || value === is, path);
  else assert.equal(value, was === is ? mine : is, path);
}

test('an import keeps each field that the store set while the feed’s own value of it is as before, and replaces it else', () => {
  fc.assert(
    fc.property(item, item, item, (before, own, now) => {
      const merged = mergeItem({ before: entryOf(before), own: entryOf(own), now: entryOf(now) });
      const shown = presentEntry(merged.entry);
      const parts = [before, own, now].map(valuesOf);
      const [was, mine, is] = parts;
      assert.ok(was && mine && is);
      const result = valuesOf({
        category: merged.categoryId,
        name: shown.name,
        price: shown.price,
        description: shown.description,
        hours: null,
        customizations: shown.customizations,
      });
      for (const field of ['category', 'name', 'price', 'description']) {
        assert.equal(result.get(field), was.get(field) === is.get(field) ? mine.get(field) : is.get(field), field);
      }
      assert.deepEqual(merged.entry.hours, entryOf(before.hours === now.hours ? own : now).entry.hours);
      // Where the feed changed nothing the store's options stand; where the store changed none the feed's do.
      const same = (a: Plain, b: Plain) => JSON.stringify(a.customizations) === JSON.stringify(b.customizations);
      const customized = (plain: Plain) => presentEntry(entryOf(plain).entry).customizations;
      if (same(before, now)) assert.deepEqual(shown.customizations, customized(own));
      if (same(before, own)) assert.deepEqual(shown.customizations, customized(now));
      for (const path of [...result.keys()].filter((one) => /\.(name|price)$/.test(one))) {
        assertRule(path, result.get(path), [was.get(path), mine.get(path), is.get(path)]);
      }
    }),
    { numRuns: runs(5000) },
  );
});

test('what is sent of an item is what is read of it', () => {
  fc.assert(
    fc.property(item, (plain) => {
      const { entry } = entryOf(plain);
      const again = parseItem(presentEntry(entry));
      assert.deepEqual(again, { ok: true, value: entry });
    }),
    { numRuns: runs(1000) },
  );
});

test('a merged sequence has each id once, the store’s while the feed’s stays, and the feed’s otherwise', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
  fc.assert(
    fc.property(ids, ids, ids, fc.option(fc.constant(true)), (before, own, now, sorted) => {
      const present = new Set([...own, ...now]);
      const merged = mergeSequence({ before: sorted ? before : null, own, now, present });
      assert.deepEqual(merged.toSorted(), [...present].toSorted());
      const common = (list: readonly string[], other: readonly string[]) =>
        list.filter((id) => other.includes(id)).join();
      const isKept = sorted && common(before, now) === common(now, before);
      const base = isKept ? own : now;
      assert.equal(common(merged, base), base.join());
    }),
    { numRuns: runs(5000) },
  );
});
