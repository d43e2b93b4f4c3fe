import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 3;
const BODY = Buffer.alloc(1024 * 1024, 'x');

export const attack: Attack = {
  name: 'connections without a key post a mebibyte to a path that does not exist',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/no/such/path`, { method: 'POST', body: BODY, signal: target.signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
