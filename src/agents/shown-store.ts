import type { Store } from '../stores/store.ts';
import { clip } from './tool-answer.ts';

/** Characters of a name that answers show. */
export const MAX_NAME = 120;
const MAX_ADDRESS = 200;

/** The street address of a store on one line. */
export function addressLine({ address }: Pick<Store, 'address'>): string {
  const { streetAddr, city, state, zipcode } = address;
  return clip(`${streetAddr}, ${city}, ${state} ${zipcode}`, MAX_ADDRESS);
}
