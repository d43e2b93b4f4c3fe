import type { Sql } from '../../platform/db/connect.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { ManualLine } from './import-tables.ts';
import { findManualStore, saveManualLine } from './manual-stores.db.ts';
import { type FeedStore, parseStoreLine } from './parse-store-line.ts';
import { writeBareStore } from './write-stores.flow.ts';

/*
 * Stores that operators add. Each is a line of the feed `manual`: parsed, written and merged with other records of the
 * same business as any feed's line is.
 */

export const MANUAL_SOURCE = 'manual';

/** Adds a store, which may be merged into another record of the same business. Returns its id. */
export async function addManualStore(tx: Sql, line: ManualLine, at: Temporal.Instant): Promise<string> {
  const store = readManualLine(line, randomId(''));
  const storeId = await writeBareStore(tx, { source: MANUAL_SOURCE, store, at, audience: 'everyone' });
  await saveManualLine(tx, storeId, line);
  return storeId;
}

/** Replaces a store's entry; false if the store wasn't added by hand. */
export async function setManualStore(tx: Sql, storeId: string, line: ManualLine, at: Temporal.Instant) {
  const known = await findManualStore(tx, storeId);
  if (!known) return false;
  const store = readManualLine(line, known.externalId);
  await writeBareStore(tx, { source: MANUAL_SOURCE, store, at, audience: 'same' });
  await saveManualLine(tx, storeId, line);
  return true;
}

/** Reads the line as a feed's; refuses all its errors at once, including a feed's warnings. */
function readManualLine(line: ManualLine, externalId: string): FeedStore {
  const parsed = parseStoreLine({ ...line, external_id: externalId });
  const found = parsed.ok ? parsed.warnings : [...parsed.faults, ...parsed.warnings];
  const faults = found.map(
    ({ path, message }): Fault => ({ in: 'body', name: path, message: message.replace('expected', 'must be') }),
  );
  if (parsed.ok && faults.length === 0) return parsed.store;
  throw invalidRequest(faults);
}
