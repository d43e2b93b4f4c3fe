import { randomUUID } from 'node:crypto';
import { CARD } from '../../test/given/orders.ts';
import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 30;

export const attack: Attack = {
  name: 'connections create cards, each with its own Idempotency-Key',
  run: ({ url, key, signal }) =>
    repeat({ url, key, signal }, CONNECTIONS, async () => {
      const reply = await fetch(`${url}/payment/create`, {
        method: 'POST',
        headers: { 'id-token': key, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify({ payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' }),
        signal,
      });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
