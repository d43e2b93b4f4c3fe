import { NEAR_DOOR } from '../../test/feed-lines.ts';
import { type Attack, repeat } from './attack.ts';
import { givenPizzeria, PIZZERIA } from './pizzeria.ts';

const CONNECTIONS = 10;

export const attack: Attack = {
  name: 'connections read an inventory with a quote at a store that offers a slot every minute of a year',
  async prepare(service, accountId) {
    const scheduling = { enabled: true, slot_minutes: 1, lead_minutes: 0, days_ahead: 365, capacity: 2 };
    await givenPizzeria(service, accountId, { scheduling });
  },
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async () => {
      const query = new URLSearchParams({
        store_id: PIZZERIA,
        pickup: 'false',
        include_quote: 'true',
        user_latitude: String(NEAR_DOOR.user_latitude),
        user_longitude: String(NEAR_DOOR.user_longitude),
      });
      const reply = await fetch(`${url}/details/inventory?${query}`, { headers: { 'id-token': key }, signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
