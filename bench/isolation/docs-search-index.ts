import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;

export const attack: Attack = {
  name: 'connections without a key read the search index of the documents, uncompressed',
  run: (target) =>
    repeat(target, CONNECTIONS, (connection) => sendKeyless(target, connection, { path: '/docs/search/words.json' })),
};
