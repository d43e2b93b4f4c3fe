import { hash } from 'node:crypto';

const STORE_ID = /^[0-9a-f]{24}$/;

/** 24 hexadecimal digits, the same for a feed and id in every database. */
export function storeIdOf(source: string, externalId: string): string {
  return hash('sha256', `${source}\n${externalId}`).slice(0, 24);
}

/** Whether a text has the form of a store id. */
export function isStoreId(text: string): boolean {
  return STORE_ID.test(text);
}
