import type { Settings } from './main.tsx';

/** This shop's settings. Start again, or build again, after a change. */
export const settings: Settings = {
  /** The address of your Doorstep's API, such as `https://api.example.com`. */
  apiBase: 'http://127.0.0.1:8080',
  /** Of `doorstep keys create --account ACCOUNT_ID --publishable`, with `--live --origin https://shop.example.com` to sell. */
  publishableKey: '',
  /** `en`, `es` or `fr`. */
  language: 'en',
  brand: { name: 'My shop' },
  /** Where a visitor without an address is shown stores; null shows only the address field. */
  near: { address: 'Chicago, IL', latitude: 41.8827, longitude: -87.6493 },
  /** The only stores of the shop, by `_id`; null for all. With one, the shop opens with its menu. */
  storeIds: null,
};
