import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { resumeStore } from '../stores/set-store.flow.ts';
import { changeStore, readStoreSettings, type StoreDeps } from './change-store.flow.ts';
import { StoreSettingsSchema } from './store-settings.ts';

const schema = {
  operationId: 'resumeStore',
  tags: ['Store'],
  summary: 'End the pause of the store',
  description: 'Changes nothing where the store is not paused.',
  body: Type.Object({}),
  response: { 200: StoreSettingsSchema },
};
const config = { audience: 'store', refuses: ['store_not_found', 'live_only'] } as const;

export function resumeStoreRoute(http: Http, deps: StoreDeps): void {
  http.post('/store/resume', { schema, config }, async ({ merchant }) => {
    await changeStore(deps, merchant, (tx, storeId, at) => resumeStore(tx, storeId, at));
    return readStoreSettings(deps, merchant);
  });
}
