import { randomBytes } from 'node:crypto';
import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 10;

/** Connections send random invalid keys: each is looked up until the address is rate-limited. */
export const attack: Attack = {
  name: 'keyless requests',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/account/orders`, {
        headers: { 'id-token': `ds_test_${randomBytes(24).toString('base64url')}` },
        signal: target.signal,
      });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
