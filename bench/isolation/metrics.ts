import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 40;

export const attack: Attack = {
  name: 'connections without a key repeatedly read the metrics',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/metrics`, { signal: target.signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
