import { createHashTable, type HashTable, mixed } from './hash-table.ts';

/** The small numbers of texts that another table holds by number. */
export type KeyTable = HashTable<string>;

/** `keyAt` gives the text of a number that was added. */
export function createKeyTable(keyAt: (number: number) => string): KeyTable {
  return createHashTable({ hashOf, isKeyOf: (number, key: string) => keyAt(number) === key });
}

/** FNV-1a over UTF-16 units. */
function hashOf(key: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  return mixed(hash);
}
