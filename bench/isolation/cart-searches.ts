import { type Attack, repeat } from './attack.ts';
import { CARTS, CITY } from './shops.ts';

const CONNECTIONS = 40;

function cartOf(n: number): string {
  const query = new URLSearchParams({
    query: JSON.stringify(CARTS[n % CARTS.length]),
    user_latitude: String(CITY.latitude + (n % 40) * 0.001),
    user_longitude: String(CITY.longitude),
  });
  return `/search/cart?${query}`;
}

export const attack: Attack = {
  name: 'connections of one key search carts; the neighbor too',
  neighbor: (n) => cartOf(n),
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async (connection) => {
      const reply = await fetch(`${url}${cartOf(connection)}`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
