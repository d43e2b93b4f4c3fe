import type { Attack } from './attack.ts';
import { attack as cartSearches } from './cart-searches.ts';
import { CITY } from './shops.ts';

const WORDS = ['milk', 'bread', 'eggs', 'coffee', 'rice', 'salsa', 'bacon', 'honey'];

export const attack: Attack = {
  name: 'connections of one key search carts; the neighbor searches products',
  neighbor: (n) => {
    const query = new URLSearchParams({
      query: WORDS[n % WORDS.length] ?? '',
      user_latitude: String(CITY.latitude + (n % 40) * 0.001),
      user_longitude: String(CITY.longitude),
    });
    return `/search/product/v4?${query}`;
  },
  run: cartSearches.run,
};
