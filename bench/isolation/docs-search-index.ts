import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;

/** Connections without a key from four addresses read the search index of the documents, uncompressed. */
export const attack: Attack = {
  name: 'docs search index',
  run: (target) =>
    repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, { path: '/docs/search/words.json' })),
};
