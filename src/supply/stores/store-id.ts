import { hash } from 'node:crypto';

const STORE_ID = /^[0-9a-f]{24}$/;

/** Returns a store's id: 24 hexadecimal digits, equal in every database for a feed and its id. */
export function storeIdOf(source: string, externalId: string): string {
  return hash('sha256', `${source}\n${externalId}`).slice(0, 24);
}

export const isStoreId = (text: string): boolean => STORE_ID.test(text);
