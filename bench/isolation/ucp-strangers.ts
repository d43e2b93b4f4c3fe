import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Attack, repeat } from './attack.ts';
import { sendKeyless } from './keyless.ts';

const CONNECTIONS = 40;
const VERSION = '2026-08-25';
const capability = { version: VERSION, spec: 'https://ucp.dev/x', schema: 'https://ucp.dev/x.json' };
const NAMES = ['dev.ucp.common.location.search', 'dev.ucp.shopping.cart'];
const PROFILE = JSON.stringify({
  ucp: {
    version: VERSION,
    services: {},
    capabilities: Object.fromEntries(NAMES.map((name) => [name, [capability]])),
    payment_handlers: {},
  },
});
const CART = JSON.stringify({
  context: { location: 'x' },
  line_items: Array.from({ length: 100 }, (_, nth) => ({ quantity: 1, item: { id: `${nth}${'x'.repeat(100)}` } })),
});
const SEARCH = JSON.stringify({
  distance: { center: { latitude: 40.7, longitude: -74 }, max: 1e6 },
  pagination: { limit: 100 },
});

export const attack: Attack = {
  name: 'platforms that nobody has bound, each request with another profile, one in three with a cart',
  env: { UCP: 'released', WEBHOOK_ALLOW_PRIVATE: 'true' },
  async run(target) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(PROFILE);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    let sent = 0;
    const counts = await repeat(target, CONNECTIONS, (connection) => {
      sent += 1;
      const headers = {
        'content-type': 'application/json',
        'ucp-agent': `profile="http://127.0.0.1:${port}/${sent % 5000}"`,
      };
      const [path, body] = sent % 3 === 0 ? ['/ucp/carts', CART] : ['/ucp/locations/search', SEARCH];
      return sendKeyless(target, connection, { path: path ?? '', body: body ?? '', headers });
    });
    server.closeAllConnections();
    server.close();
    return counts;
  },
};
