import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 10;

/** Connections without a key read the compressed page of the reference, again and again. */
export const attack: Attack = {
  name: 'reference page',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/reference/`, {
        headers: { 'accept-encoding': 'br' },
        signal: target.signal,
      });
      // Fetch would decompress what it reads, which is the attacker's work and not the service's.
      await reply.body?.cancel();
      return reply.status;
    }),
};
