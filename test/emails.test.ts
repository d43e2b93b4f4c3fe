import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseMailAddress } from '../src/access/accounts/branding-fields.ts';
import { readContact } from '../src/access/customers/customer.ts';
import { emailTarget } from '../src/fulfillment/store-channels/store-channel.ts';
import { readOrderBody } from '../src/ordering/place/order-body.ts';
import { readChannelChanges } from '../src/surfaces/operator/channel-changes.ts';
import { runs } from './runs.ts';

const WORD = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const ADDRESS = fc.tuple(WORD, WORD).map(([local, domain]) => `${local}@${domain}.example`);
const AROUND = fc.string({ unit: fc.constantFrom(' ', '\t', '\u00a0', '\r\n'), maxLength: 3 });

const item = { product_id: 'p', quantity: 1 };
const printers = { printers: [], polledPrinters: new Map() };

/** Every reader of an address that a person typed. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a field of a request': (text) => {
    const parsed = readOrderBody({ items: [item], pickup: true, user_email: text });
    return 'error' in parsed ? undefined : (parsed.value as Record<string, unknown>).user_email;
  },
  'a customer’s contact': (text) => readContact(text)?.value,
  'an operator': emailTarget,
  'a store’s channel': (text) => readChannelChanges({ email: text }, printers).email,
  'a brand': (text) => {
    const parsed = parseMailAddress(text);
    return 'value' in parsed ? parsed.value : undefined;
  },
};

test('an email is read without the spaces around it, wherever it is read, and refused with one inside', () => {
  fc.assert(
    fc.property(ADDRESS, AROUND, AROUND, (address, before, after) => {
      for (const [name, read] of Object.entries(READERS)) {
        assert.equal(read(`${before}${address}${after}`), address, name);
        assert.throws(() => assert.equal(read(address.replace('@', ' @')), address), name);
      }
    }),
    { numRuns: runs(1000) },
  );
});
