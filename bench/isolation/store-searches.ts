import { type Attack, repeat } from './attack.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 40;

export const attack: Attack = {
  name: 'connections of one key search all stores by misspelled names, the most expensive store search',
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async (connection) => {
      const query = new URLSearchParams({
        query: 'goldn nodles villge',
        latitude: String(CITY.latitude + connection * 0.01),
        longitude: String(CITY.longitude),
        sort: 'rating',
      });
      const reply = await fetch(`${url}/search/store/v3?${query}`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
