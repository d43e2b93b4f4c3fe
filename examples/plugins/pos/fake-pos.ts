import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A point of sale for tests: it keeps the orders of each id, and works on them by calls of the Store API. */
export const KEY = 'key of the point of sale';

type PushedOrder = { id: string; number: string; is_canceled: boolean; lines: object[] };

const soup = { sku: 'soup', name: 'Soup', cents: 900, left: 3 as number | null };

export async function startFakePos() {
  const orders = new Map<string, PushedOrder>();
  const menu = {
    groups: [{ id: 'hot', name: 'Hot', dishes: [soup, { ...soup, sku: 'tea', name: 'Tea', left: null }] }],
  };
  const failures: ('refuses' | 'loses its answer')[] = [];
  let pushes = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end();
    if (request.url?.endsWith('/menu')) return response.end(JSON.stringify(menu));
    pushes += 1;
    const failure = failures.shift();
    if (failure === 'refuses') return response.writeHead(503).end();
    const order: PushedOrder = JSON.parse(body);
    orders.set(order.id, order);
    if (failure === 'loses its answer') return response.destroy();
    return response.writeHead(201).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    menu,
    pushes: () => pushes,
    failNext: (how: (typeof failures)[number]) => failures.push(how),
    /** Takes a step of an order: the point of sale calls the service with its store key. */
    async step(service: string, storeKey: string, id: string, step: string, body: object = {}): Promise<number> {
      const headers = { 'id-token': storeKey, 'x-source': 'pos', 'content-type': 'application/json' };
      const url = `${service}/store/orders/${id}/${step}`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
