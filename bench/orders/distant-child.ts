import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A network between a client and PostgreSQL: what the client sends arrives so many milliseconds later, and answers arrive
 * at once. Bytes of one connection keep their sequence.
 */
const [host = '', port = '', delayMs = ''] = process.argv.slice(2);

const proxy = createServer({ noDelay: true }, (client) => {
  const server = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port: Number(port), noDelay: true });
  client.on('data', (bytes) => setTimeout(() => server.write(bytes), Number(delayMs)));
  server.on('data', (bytes) => client.write(bytes));
  for (const [one, other] of [[client, server] as const, [server, client] as const]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
proxy.listen(0, '127.0.0.1', () => process.send?.({ port: (proxy.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit(0));
