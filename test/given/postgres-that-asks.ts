import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** PostgreSQL's authentication requests (protocol 3.0, message `R`); `none`: it is satisfied without a password. */
const ASKS = {
  none: [0, 0, 0, 0],
  password: [0, 0, 0, 3],
  md5: [0, 0, 0, 5, 1, 2, 3, 4],
  'scram-sha-256': [0, 0, 0, 10, ...Buffer.from('SCRAM-SHA-256\0\0')],
} as const;

/** Message `Z`, after which clients send statements. */
const READY_FOR_QUERY = [...Buffer.from('Z'), 0, 0, 0, 5, ...Buffer.from('I')];

/** `received`: everything clients sent after the request, one entry per client. */
export type AskingServer = {
  url(password: string, query?: string): string;
  received: string[];
  close(): Promise<void>;
};

/** A loopback server in place of PostgreSQL that requests each client's password by one method. */
export async function givenPostgresThatAsks(method: keyof typeof ASKS): Promise<AskingServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      const body = Buffer.from(ASKS[method]);
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + 4);
      const ready = method === 'none' ? READY_FOR_QUERY : [];
      socket.write(Buffer.concat([Buffer.from('R'), length, body, Buffer.from(ready)]));
      const answer = received.push('') - 1;
      socket.on('data', (bytes) => {
        received[answer] += bytes.toString('latin1');
        socket.end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (password, query = '') => `postgres://doorstep:${password}@127.0.0.1:${port}/doorstep${query}`,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
