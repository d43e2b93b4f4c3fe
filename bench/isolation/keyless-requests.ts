import { randomBytes } from 'node:crypto';
import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 10;

export const attack: Attack = {
  name: 'connections send random invalid keys',
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
