import type { Http } from '../http/http.ts';
import { readStoreSettings, type StoreDeps } from './change-store.flow.ts';
import { StoreSettingsSchema } from './store-settings.ts';

const schema = {
  operationId: 'readStore',
  tags: ['Store'],
  summary: 'The store of the key',
  description:
    'The name, the hours, the pause and the switches of the store, as they hold now. A sandbox store key or session reads them too.',
  response: { 200: StoreSettingsSchema },
};
const config = { audience: 'store', refuses: ['store_not_found', 'live_only'] } as const;

export function readStoreRoute(http: Http, deps: StoreDeps): void {
  http.get('/store', { schema, config }, ({ merchant }) => readStoreSettings(deps, merchant));
}
