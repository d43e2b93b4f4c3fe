import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 40;

/** Connections without a key repeatedly read the metrics. */
export const attack: Attack = {
  name: 'metrics',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/metrics`, { signal: target.signal });
      await reply.arrayBuffer();
      return reply.status;
    }),
};
