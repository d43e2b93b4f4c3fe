import { createHash } from 'node:crypto';
import { comparedLetters } from '../../../lib/text/compared-letters.ts';
import { wordsOf } from '../../../lib/text/normalise-text.ts';
import { NO_SCHEDULING, plainParty, type Store } from '../../store.ts';
import { createBlockWriter } from './write-blocks.ts';

/** The layout of the file and of its blocks. */
const LAYOUT = 3;

const WEEK: Store['hours']['operational'] = [[{ startMinute: 540, endMinute: 1530 }], [], [], [], [], [], []];
const OFFER = { enabled: true, accepting: true, prepMinutes: [10, 20] as const };

/** A store with every property that a document shows. */
const SAMPLE: Store = {
  storeId: '0123456789abcdef01234567',
  name: 'Café "Ø"',
  type: 'restaurant',
  phoneNumber: 12125550123,
  description: 'd',
  address: { streetAddr: 's', streetAddr2: 't', city: 'c', state: 'NY', zipcode: 'z', country: 'US' },
  latitude: 40.5,
  longitude: -73.5,
  timeZone: 'America/New_York',
  hours: { operational: WEEK, delivery: WEEK, pickup: null, dine_in: null },
  hoursExceptions: [],
  cuisines: ['pizza'],
  dollarSigns: 2,
  photos: { food: ['https://a.example/f'], logo: ['https://a.example/l'], store: ['https://a.example/s'] },
  rating: { value: 4.5, count: 3 },
  onlineOrdering: true,
  pickup: OFFER,
  delivery: { ...OFFER, parties: [plainParty()] },
  fees: {
    deliveryFee: { flatCents: 0, percent: 0, taxable: false, thresholds: [] },
    serviceFee: { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false },
    pickupServiceFee: null,
    smallOrderFee: { flatCents: 0, percent: 0, minimumOrderCents: 0 },
    orderMinimumCents: 0,
    salesTaxPercent: null,
  },
  scheduling: NO_SCHEDULING,
  pausedUntil: null,
  supportsUpcCodes: true,
  hasCatalogue: true,
  hasChannel: true,
  listed: true,
  sandboxAccounts: ['acc'],
};

/**
 * Names what a snapshot of this version holds: its layout, the bytes that this version writes of a sample store with all
 * properties and of a bare store, how it compares letters, and the newest migration. Another version that writes other bytes has another name.
 */
export function snapshotFormat(newestMigration: string): string {
  const blocks = createBlockWriter();
  blocks.add(SAMPLE);
  blocks.add({ ...SAMPLE, phoneNumber: null, rating: null, dollarSigns: null, sandboxAccounts: null, type: 'grocery' });
  const { columns, documents } = blocks.finish();
  const named = createHash('sha256').update(`${LAYOUT} ${newestMigration} ${comparedLetters(wordsOf)} `);
  return named.update(columns).update(documents).digest('hex');
}
