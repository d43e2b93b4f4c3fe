import { demoCatalog } from '../../demo/catalog.ts';
import type { NamedStore } from './real-stores.ts';
import { plainWords } from './typed-name.ts';

/** The demo catalog's stores, whose names are invented; available on every machine. */
export function readDemoStores(): NamedStore[] {
  return [...demoCatalog()].map(({ external_id: id, name, address, latitude, longitude }) => ({
    ref: `demo/${id}`,
    name,
    city: address.city,
    chain: plainWords(name).join(''),
    latitude,
    longitude,
  }));
}
