import type { JsonRecord } from '../../lib/json-records.ts';
import type { LineFault } from '../feed/feed-fields.ts';
import type { FeedEntry } from '../feed-entry.ts';
import type { PlaceReading } from './place-reading.ts';
import { storeOfPlace } from './store-of-place.ts';

/**
 * A record of an open directory as an entry of an import. A malformed record is rejected; a valid record that is no store
 * is left out and counts as no fault: a park bench is no fault of the file.
 */
export function placeEntry(
  record: JsonRecord,
  read: (value: unknown) => PlaceReading,
  now: Temporal.Instant,
): FeedEntry {
  const line = record.record;
  if ('fault' in record) return { line, parsed: rejected(null, { path: '', message: record.fault }) };
  const reading = read(record.value);
  if (!reading.ok) {
    const { placeId, reason, path, message } = reading;
    return reason === 'malformed' ? { line, parsed: rejected(placeId, { path, message }) } : { line, leftOut: reason };
  }
  const placed = storeOfPlace(reading.place, now);
  if (!placed.ok) return { line, leftOut: placed.reason };
  return { line, parsed: { ok: true, store: placed.store, warnings: reading.warnings } };
}

function rejected(externalId: string | null, fault: LineFault) {
  return { ok: false, externalId, faults: [fault], warnings: [] } as const;
}
