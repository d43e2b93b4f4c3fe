import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { pauseStore } from '../stores/set-store.flow.ts';
import { changeStore, readStoreSettings, type StoreDeps } from './change-store.flow.ts';
import { StoreSettingsSchema } from './store-settings.ts';

/** For more than a day a store changes its hours. */
const MIN_MINUTES = 1;
const MAX_MINUTES = 1440;

const schema = {
  operationId: 'pauseStore',
  tags: ['Store'],
  summary: 'Pause the store',
  description:
    'The store reads as closed from now on, until so many minutes have passed. A pause replaces the pause before it. Windows that begin later are still offered, and orders that are placed stay.',
  example: { body: { minutes: 30 } },
  body: Type.Object({
    minutes: Type.Integer({ minimum: MIN_MINUTES, maximum: MAX_MINUTES, description: 'From now on.' }),
  }),
  response: { 200: StoreSettingsSchema },
};
const config = { audience: 'store', refuses: ['store_not_found', 'live_only'] } as const;

export function pauseStoreRoute(http: Http, deps: StoreDeps): void {
  http.post('/store/pause', { schema, config }, async ({ merchant, body: { minutes } }) => {
    await changeStore(deps, merchant, (tx, storeId, at) => pauseStore(tx, storeId, at.add({ minutes }), at));
    return readStoreSettings(deps, merchant);
  });
}
