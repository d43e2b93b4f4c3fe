import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import type { Fault } from '../http/refusal.ts';
import { invalidRequest } from '../http/request-schema.ts';
import type { LineFault } from '../imports/feed/feed-fields.ts';
import { parseHoursExceptions, parseStoreHours } from '../imports/feed/feed-hours.ts';
import type { OwnHours } from '../stores/hours.ts';
import { setOwnHours } from '../stores/set-store.flow.ts';
import { changeStore, readStoreSettings, type StoreDeps } from './change-store.flow.ts';
import { StoreSettingsSchema } from './store-settings.ts';

const schema = {
  operationId: 'setStoreHours',
  tags: ['Store'],
  summary: 'Set the hours of the store, and its hours of single dates',
  description:
    'What is sent replaces what the feed says, until the store sends another value or an import brings a value that differs from the one it brought before. What is left out does not change; one of the two must be there.',
  example: {
    body: {
      hours: { operational: 'Mo-Su 00:00-24:00', pickup: 'Mo-Fr 11:00-21:00' },
      hours_exceptions: [{ from: '2026-12-25', to: '2026-12-26', hours: 'Closed' }],
    },
  },
  body: Type.Object({
    hours: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description:
          'As `hours` of a feed: any of `operational`, `delivery`, `pickup`, `dine_in`, each an object by weekday or a text in the `opening_hours` syntax of OpenStreetMap. A channel that is left out follows `operational`. `null` returns to the hours of the feed.',
        examples: [
          { operational: { Monday: '11:00AM - 10:00PM', Saturday: '05:00PM - 02:00AM' }, pickup: 'Mo-Fr 11:00-21:00' },
        ],
      }),
    ),
    hours_exceptions: Type.Optional(
      Type.Unsafe<readonly unknown[] | null>({
        type: ['array', 'null'],
        items: {},
        description:
          'As `hours_exceptions` of a feed: dates on which other hours count, each `{ from, to?, hours, channel? }`. An empty list: no such dates. `null` returns to those of the feed.',
        examples: [[{ from: '2026-12-25', to: '2026-12-26', hours: 'Closed' }]],
      }),
    ),
  }),
  response: { 200: StoreSettingsSchema },
};
const config = { audience: 'store', refuses: ['store_not_found', 'live_only'] } as const;

export function setHoursRoute(http: Http, deps: StoreDeps): void {
  http.put('/store/hours', { schema, config }, async ({ merchant, body }) => {
    const changes = readChanges(body);
    await changeStore(deps, merchant, (tx, storeId, at) => setOwnHours(tx, storeId, changes, at));
    return readStoreSettings(deps, merchant);
  });
}

type Body = { hours?: object | null; hours_exceptions?: readonly unknown[] | null };

function readChanges({ hours, hours_exceptions: exceptions }: Body): Partial<OwnHours> {
  const faults: Fault[] = [];
  const report = (found: readonly LineFault[]) =>
    faults.push(...found.map(({ path, message }): Fault => ({ in: 'body', name: path, message })));
  const changes: Partial<OwnHours> = {};
  if (hours === undefined && exceptions === undefined) report([{ path: 'hours', message: 'is required' }]);
  if (hours === null) changes.hours = null;
  if (exceptions === null) changes.exceptions = null;
  if (hours) {
    const parsed = parseStoreHours(hours);
    if (parsed.ok) changes.hours = parsed.hours;
    else report(parsed.faults);
  }
  if (exceptions) {
    const parsed = parseHoursExceptions(exceptions);
    if (parsed.ok) changes.exceptions = parsed.exceptions;
    else report(parsed.faults);
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return changes;
}
