import { type Attack, repeat } from './attack.ts';

const CONNECTIONS = 10;

/** Connections without a key read the compressed script of the reference, 4 MB, again and again. */
export const attack: Attack = {
  name: 'reference script',
  run: (target) =>
    repeat(target, CONNECTIONS, async () => {
      const reply = await fetch(`${target.url}/reference/js/scalar.js`, {
        headers: { 'accept-encoding': 'br' },
        signal: target.signal,
      });
      // Fetch would decompress what it reads, which is the attacker's work and not the service's.
      await reply.body?.cancel();
      return reply.status;
    }),
};
