import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foodEntities, readJoined } from '../../../test/food-entities.ts';
import { ADDRESS, anyMenu, feedCategories } from '../../../test/rendered-menus.ts';
import { runs } from '../../../test/runs.ts';
import { readPage, schemaOrgStore } from '../../../test/schema-org-pages.ts';
import { WEEKDAYS } from '../stores/hours.ts';
import { parseStoreLine } from './parse-store-line.ts';

const ALWAYS = Object.fromEntries(WEEKDAYS.map((day) => [day, 'Open 24 hours']));

test("a menu in Google's feed reads as its own line would, whatever the order of its entities", () => {
  fc.assert(
    fc.property(anyMenu, fc.infiniteStream(fc.nat(1000)), (menu, order) => {
      const keyed = foodEntities(menu).map((entity) => ({ entity, key: order.next().value as number }));
      const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ entity }) => entity);
      const parsed = readJoined(shuffled);
      const categories = feedCategories(menu, { id: 'options', name: 'Size' });
      const line = parseStoreLine({
        external_id: 'r1',
        name: 'Test Kitchen',
        type: 'restaurant',
        phone: '+13125550142',
        address: ADDRESS,
        latitude: 41.8843,
        longitude: -87.6484,
        hours: { operational: ALWAYS },
        pickup: { prep_minutes: [20, 30] },
        delivery: { prep_minutes: [20, 30] },
        categories,
      });
      assert.ok(line.ok && parsed.ok, JSON.stringify([line, parsed].filter((one) => !one.ok)));
      assert.deepEqual(parsed.store.catalog, line.store.catalog);
      assert.deepEqual(parsed.store.profile, line.store.profile);
      assert.deepEqual(parsed.warnings, []);
    }),
    { numRuns: runs(100) },
  );
});

test('a menu in JSON-LD reads as its own line would', async () => {
  await fc.assert(
    fc.asyncProperty(anyMenu, fc.boolean(), async (menu, pretty) => {
      const parsed = await readPage(JSON.stringify(schemaOrgStore(menu), null, pretty ? 2 : 0));
      const line = parseStoreLine({
        external_id: 'https://kitchen.example/#store',
        name: 'Test Kitchen',
        type: 'restaurant',
        phone: '+13125550142',
        address: ADDRESS,
        latitude: 41.8843,
        longitude: -87.6484,
        hours: { operational: ALWAYS },
        categories: feedCategories(menu, { id: 'offers', name: 'Choose one' }, false),
      });
      assert.ok(line.ok && parsed.ok, JSON.stringify([line, parsed].filter((one) => !one.ok)));
      assert.deepEqual(parsed.store, line.store);
      assert.deepEqual(parsed.warnings, []);
    }),
    { numRuns: runs(100) },
  );
});
