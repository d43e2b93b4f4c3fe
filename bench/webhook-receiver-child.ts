import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Two endpoints in one child process: one answers at once, the other never does. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const fast = await listen((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
const hanging = await listen((request) => request.resume());
process.send?.({ fast, hanging });
process.once('disconnect', () => process.exit(0));
