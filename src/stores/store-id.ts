import { hash } from 'node:crypto';

const STORE_ID = /^[0-9a-f]{24}$/;

/** 24 hexadecimal digits, the same for the same feed and id in every database. */
export function storeIdOf(source: string, externalId: string): string {
  return hash('sha256', `${source}\n${externalId}`).slice(0, 24);
}

/** Whether a text could be a store's id; anything else need not be looked up. */
export function isStoreId(text: string): boolean {
  return STORE_ID.test(text);
}
