import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import fc from 'fast-check';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { cafe, givenPlaces } from '../../../../test/given/places.ts';
import { runs } from '../../../../test/runs.ts';
import { undoMerge } from './merge-places.flow.ts';
import { samePlace } from './same-place.ts';

const given = await givenPlaces();
const { clock, db } = given;
after(() => given.close());
afterEach(() => given.clear());

const NAMES = ['Fable', 'Keg'];
/** Cafés some meters apart: adjacent ones are duplicates, the next but one is not. */
const placed = fc.record({ spot: fc.integer({ min: 0, max: 3 }), name: fc.constantFrom(...NAMES) });
const some = fc.uniqueArray(placed, { maxLength: 4, selector: ({ spot }) => spot });
const step = fc.oneof(
  fc.record({ kind: fc.constant('places' as const), source: fc.constantFrom('a', 'b'), stores: some }),
  fc.record({ kind: fc.constant('own' as const), source: fc.constantFrom('own', 'b'), stores: some }),
  fc.record({ kind: fc.constant('undo' as const), nth: fc.nat({ max: 5 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(taken: Step): Promise<void> {
  if (taken.kind === 'undo') {
    const merges = await db.selectFrom('storeMerges').select('mergeId').orderBy('mergeId').execute();
    const merge = merges[taken.nth % Math.max(1, merges.length)];
    if (merge) await db.transaction().execute((tx) => undoMerge(tx, merge.mergeId, clock.now()));
  } else if (taken.kind === 'places') {
    const features = taken.stores.map(({ spot, name }) => cafe(`${spot}`, name, { meters: spot * 40 }));
    await given.importPlaces(taken.source, features, { prune: true });
  } else {
    const lines = taken.stores.map(({ spot, name }) =>
      pizzeria({
        external_id: `${spot}`,
        name,
        latitude: 49.28 + (spot * 40) / 111_195,
        longitude: -123.12,
        phone: null,
      }),
    );
    await given.importLines(taken.source, lines, { prune: true });
  }
}

async function checkAll(): Promise<void> {
  const stores = await db.selectFrom('stores').selectAll().execute();
  const merges = await db.selectFrom('storeMerges').selectAll().execute();
  const byId = new Map(stores.map((store) => [store.storeId, store]));
  // An account that marked a store as distinct from another still sees it.
  const undone = new Set(
    merges.filter((one) => one.undoneAt !== null).flatMap((one) => [one.storeId, one.intoStoreId]),
  );
  const holding = new Map(
    merges.filter((one) => one.undoneAt === null && one.endedAt === null).map((one) => [one.storeId, one.intoStoreId]),
  );
  const merged = stores.filter((store) => store.mergedInto !== null);
  assert.deepEqual(
    [...holding.keys()].sort(),
    merged.map((store) => store.storeId).sort(),
    'a decision holds of what is merged',
  );
  for (const store of merged) {
    const standing = byId.get(store.mergedInto ?? '');
    assert.ok(standing?.listed && standing.mergedInto === null, 'what stands is in search');
    assert.notEqual(store.origins, null, 'only places are merged');
    let last = store.storeId;
    for (let next = holding.get(last); next !== undefined; next = holding.get(last)) last = next;
    assert.equal(last, store.mergedInto, 'decisions lead to what stands');
  }
  const shown = stores.filter((store) => store.listed && store.mergedInto === null);
  for (const [n, one] of shown.entries()) {
    for (const other of shown.slice(n + 1)) {
      const [a, b] = [one, other].map((row) => ({
        ...row,
        name: row.profile.name,
        phoneNumber: row.profile.phoneNumber,
      }));
      const isSame = a && b && samePlace(a, b) !== null;
      const bothOwn = one.origins === null && other.origins === null;
      const isChanged = [one, other].some(({ storeId: id }) => changed.has(id) || undone.has(id));
      assert.ok(!isSame || bothOwn || isChanged, 'no place is in search twice');
    }
  }
}

/** Stores whose record has changed: duplicates are detected only when a store is added. */
const changed = new Set<string>();

test('after any import, change and undo, search has one store per merged group and no place twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      await given.clear();
      changed.clear();
      const before = new Map<string, string>();
      for (const one of steps) {
        await take(one);
        for (const row of await db.selectFrom('stores').select(['storeId', 'profile', 'origins']).execute()) {
          const stated = `${row.profile.name} ${row.origins === null}`;
          if ((before.get(row.storeId) ?? stated) !== stated) changed.add(row.storeId);
          before.set(row.storeId, stated);
        }
        await checkAll();
      }
    }),
    { numRuns: runs(30) },
  );
});
