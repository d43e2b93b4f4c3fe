import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * Simulates network latency to PostgreSQL: delays what the client sends, passes answers on at once, and keeps the order
 * of bytes.
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
