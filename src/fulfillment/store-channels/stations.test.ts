import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { receiptPrinter, type StationPrinter, stationItems } from './stations.ts';

const CATEGORIES = ['Drinks', 'Pizza', 'Salads', 'Desserts'];
const named = (name: string): StationPrinter['channel'] => (name === '' ? 'printer' : `printer:${name}`);

const arbitraryPrinters = fc
  .uniqueArray(fc.constantFrom('', 'bar', 'grill', 'cold', 'expo'), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          channel: fc.constant(named(name)),
          categories: fc.option(fc.subarray(CATEGORIES.map((one) => one.toUpperCase())), { nil: null }),
        }),
      ),
    ),
  );
const arbitraryItems = fc.array(fc.subarray([...CATEGORIES, 'Specials']), { maxLength: 8 });

test('every item is printed where its category belongs, everywhere if it belongs nowhere, and expo has all', () => {
  fc.assert(
    fc.property(arbitraryPrinters, arbitraryItems, (printers: StationPrinter[], items) => {
      const printed = new Map(printers.map(({ channel }) => [channel, stationItems(channel, printers, items)]));
      for (const [place, names] of items.entries()) {
        // The oracle: printers that list one of the item's categories or none, and the pass.
        const wanted = printers.filter(
          ({ channel, categories }) =>
            channel.endsWith(':expo') ||
            categories === null ||
            names.some((name) => categories.some((one) => one.toLowerCase() === name.toLowerCase())),
        );
        const expected = new Set((wanted.length > 0 ? wanted : printers).map(({ channel }) => channel));
        for (const { channel } of printers)
          assert.equal(printed.get(channel)?.has(place), expected.has(channel), `${channel} ${names.join()}`);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('receipts are printed on the first printer that has everything, otherwise on the first', () => {
  const bar: StationPrinter = { channel: 'printer:bar', categories: ['Drinks'] };
  const expo: StationPrinter = { channel: 'printer:expo', categories: ['Pizza'] };
  assert.equal(receiptPrinter([bar, expo]), 'printer:expo');
  assert.equal(receiptPrinter([expo, bar, { channel: 'printer', categories: null }]), 'printer');
  assert.equal(receiptPrinter([bar]), 'printer:bar');
  assert.equal(receiptPrinter([]), undefined);
});
