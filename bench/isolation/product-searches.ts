import { type Attack, repeat } from './attack.ts';
import { CITY } from './shops.ts';

const CONNECTIONS = 40;
const WIDE = 'fresh organic whole large natural classic milk bread';

export const attack: Attack = {
  name: 'connections of one key search for words that nearly every product has; the neighbor searches for milk',
  neighbor: (n) => productsOf('milk', n),
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async (connection) => {
      const reply = await fetch(`${url}${productsOf(WIDE, connection)}`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};

function productsOf(text: string, n: number): string {
  const query = new URLSearchParams({
    query: text,
    user_latitude: String(CITY.latitude + (n % 40) * 0.001),
    user_longitude: String(CITY.longitude),
  });
  return `/search/product/v4?${query}`;
}
