import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import type { Fault } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import { parseStoreHours } from '../imports/feed/feed-hours.ts';
import type { StoreHours } from '../stores/hours.ts';
import { setOwnHours } from '../stores/set-own-hours.flow.ts';
import { changeStore, readStoreSettings, type StoreDeps } from './change-store.flow.ts';
import { StoreSettingsSchema } from './store-settings.ts';

const schema = {
  operationId: 'setStoreHours',
  tags: ['Store'],
  summary: 'Set the hours of the store',
  description:
    'These hours replace the hours of the feed in every channel, until the store sets others or an import brings hours that differ from those it brought before.',
  body: Type.Object({
    hours: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description:
        'As `hours` of a feed: any of `operational`, `delivery`, `pickup`, `dine_in`, each an object by weekday or a text in the `opening_hours` syntax of OpenStreetMap. A channel that is left out follows `operational`. `null` returns to the hours of the feed.',
      examples: [
        { operational: { Monday: '11:00AM - 10:00PM', Saturday: '05:00PM - 02:00AM' }, pickup: 'Mo-Fr 11:00-21:00' },
      ],
    }),
    hours_exceptions: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'Hours of single dates are not supported yet: an empty list.' }),
    ),
  }),
  response: { 200: StoreSettingsSchema },
};
const config = { audience: 'store', refuses: ['store_not_found', 'live_only'] } as const;

export function setHoursRoute(http: Http, deps: StoreDeps): void {
  http.put('/store/hours', { schema, config }, async ({ merchant, body }) => {
    const hours = readHours(body.hours, body.hours_exceptions ?? []);
    await changeStore(deps, merchant, (tx, storeId, at) => setOwnHours(tx, storeId, hours, at));
    return readStoreSettings(deps, merchant);
  });
}

function readHours(given: object | null, exceptions: readonly unknown[]): StoreHours | null {
  const parsed = given === null ? { ok: true as const, hours: null } : parseStoreHours(given);
  const faults = parsed.ok
    ? []
    : parsed.faults.map(({ path, message }): Fault => ({ in: 'body', name: path, message }));
  if (exceptions.length > 0) {
    const message = 'must be empty: hours of single dates are not supported yet';
    faults.push({ in: 'body', name: 'hours_exceptions', message });
  }
  if (faults.length > 0 || !parsed.ok) throw invalidRequest(faults);
  return parsed.hours;
}
