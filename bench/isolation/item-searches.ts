import { type Attack, repeat } from './attack.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 40;

export const attack: Attack = {
  name: 'connections of one key search for items that no store sells; the neighbor searches for milk',
  neighbor: (n) => `/search/product/v4?${new URLSearchParams({ query: 'milk', ...placeOf(n, 'user_') })}`,
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async (connection) => {
      const query = new URLSearchParams({
        query: 'zanzibari durian',
        search_focus: 'item',
        ...placeOf(connection, ''),
      });
      const reply = await fetch(`${url}/search/store/v3?${query}`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};

function placeOf(n: number, prefix: string): Record<string, string> {
  return {
    [`${prefix}latitude`]: String(CITY.latitude + (n % 40) * 0.001),
    [`${prefix}longitude`]: String(CITY.longitude),
  };
}
