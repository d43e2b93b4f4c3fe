import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { type FeedStore, parseStoreLine } from './feed/parse-store-line.ts';

/** What an operator entered of a store: a store line of docs/feeds.md without `external_id` and menu. */
export type ManualLine = Readonly<Record<string, unknown>>;

/** Reads the line as a feed's; refuses all its faults at once, also those that a feed only warns of. */
export function readManualLine(line: ManualLine, externalId: string): FeedStore {
  const parsed = parseStoreLine({ ...line, external_id: externalId });
  const found = parsed.ok ? parsed.warnings : [...parsed.faults, ...parsed.warnings];
  const faults = found.map(
    ({ path, message }): Fault => ({ in: 'body', name: path, message: message.replace('expected', 'must be') }),
  );
  const profile = parsed.ok ? parsed.store.profile : undefined;
  if (profile && profile.phone !== '' && profile.phoneNumber === null) {
    faults.push({ in: 'body', name: 'phone', message: 'must be a phone number' });
  }
  if (parsed.ok && faults.length === 0) return parsed.store;
  throw invalidRequest(faults);
}
