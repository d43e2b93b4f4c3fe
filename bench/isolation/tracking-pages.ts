import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, repeat } from './attack.ts';

const ADDRESSES = 8;
const CONNECTIONS_OF_ADDRESS = 4;
const PIPELINED = 16;
const KEPT_MS = 60;

export const attack: Attack = {
  name: 'clients without a key pipeline pages of orders, leave before the answers, and start over',
  run(target) {
    const { hostname, port, host } = new URL(target.url);
    return repeat(target, ADDRESSES * CONNECTIONS_OF_ADDRESS, async (connection) => {
      const localAddress = `127.0.0.${2 + (connection % ADDRESSES)}`;
      const socket = connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {});
      await once(socket, 'connect');
      const pages = Array.from({ length: PIPELINED }, (_, n) => {
        return `GET /tracking?tracking_id=ord_${connection}_${n} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
      });
      socket.write(pages.join(''));
      await delay(KEPT_MS);
      socket.destroy();
      return 'dropped';
    });
  },
};
