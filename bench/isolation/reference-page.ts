import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 10;

export const attack: Attack = {
  name: 'connections without a key repeatedly read the compressed API reference',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/reference/`, {
        headers: { 'accept-encoding': 'br' },
        signal: target.signal,
      });
      // Canceled unread: `fetch` would decompress the body, which costs the attacker and not the service.
      await reply.body?.cancel();
      return reply.status;
    }),
};
