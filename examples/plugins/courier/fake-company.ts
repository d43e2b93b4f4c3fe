import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A courier company for tests. It drives everywhere but to `1 Far Street`. */
export const KEY = 'key of the company';
type Booking = { to: { address: string; notes: string }; tip: number };
type Booked = Booking & { id: string; key: string; state: string; fee: number; at: string };

function refusalOf({ headers }: IncomingMessage, { to }: Partial<Booking>): string | undefined {
  if (headers.authorization !== `Bearer ${KEY}`) return 'unknown key';
  return to?.address === '1 Far Street' ? 'too far' : undefined;
}

/** Reads, cancels or changes a delivery; false if it is too late. With the courier on the way, only the tip can change. */
function changeBooked(method: string | undefined, booked: Booked, changes: Partial<Booking>): boolean {
  if (method === 'GET') return true;
  if (booked.state === 'loaded' && !(method === 'PATCH' && changes.tip)) return false;
  if (method === 'DELETE') booked.state = 'canceled';
  else Object.assign(booked, changes);
  return true;
}

export async function startFakeCompany() {
  const deliveries = new Map<string, Booked>();
  let losesAnswer = false;
  const book = (id: string, booking: Booking) => {
    const fresh = { ...booking, id, key: id, state: 'waiting', fee: 700, at: '2026-06-10T17:20:00Z' };
    const made = deliveries.get(id) ?? fresh;
    deliveries.set(id, made);
    return made;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const send = (status: number, answer: object) => response.writeHead(status).end(JSON.stringify(answer));
    const booking: Partial<Booking> = body === '' ? {} : JSON.parse(body);
    const refusal = refusalOf(request, booking);
    if (refusal) return send(422, { reason: refusal });
    if (request.url === '/quotes') return send(200, { fee: 700 });
    const id = decodeURIComponent(request.url?.split('/')[2] ?? '');
    if (request.method === 'PUT') {
      const made = book(id, booking as Booking);
      if (!losesAnswer) return send(200, made);
      losesAnswer = false;
      return response.destroy();
    }
    const booked = deliveries.get(id);
    if (!booked) return send(404, {});
    return send(changeBooked(request.method, booked, booking) ? 200 : 409, booked);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    deliveries,
    loseAnswer() {
      losesAnswer = true;
    },
    move(key: string, state: string) {
      const booked = deliveries.get(key);
      if (booked) booked.state = state;
    },
    /** The signed call that reports a delivery. */
    report(event: string, delivery?: object) {
      const body = Buffer.from(JSON.stringify({ event, delivery }));
      return { headers: { signature: createHmac('sha256', KEY).update(body).digest('hex') }, body };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
