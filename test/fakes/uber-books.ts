import { createHmac } from 'node:crypto';

type Json = Record<string, unknown>;
export type UberAnswer = { status: number; body?: Json; headers?: Record<string, string> };
export type UberCall = { operation: UberOperation; body: Json; deliveryId: string };
export type UberOperation = 'token' | 'quote' | 'create' | 'get' | 'update' | 'cancel';

/** A delivery in Uber's books. */
export type UberDelivery = Json & { id: string; status: string; external_id: string };
export type UberBooks = {
  deliveries: UberDelivery[];
  /** Used keys with their delivery. */
  keys: Map<string, string>;
  quotes: number;
  /** Whether a reused key is a 409 that refers to its delivery, or returns the delivery itself. */
  pointsToDuplicates: boolean;
};

const CREATED = '2026-06-10T17:00:00Z';

export function answerOf(books: UberBooks, { operation, body, deliveryId }: UberCall): UberAnswer {
  if (operation === 'quote') return quote(books, body);
  if (operation === 'create') return create(books, body);
  const delivery = books.deliveries.find(({ id }) => id === deliveryId);
  if (!delivery) return apiError(404, 'delivery_not_found');
  if (operation === 'get') return { status: 200, body: delivery };
  if (operation === 'update') {
    const open = ['pending', 'pickup', ...('tip_by_customer' in body ? ['pickup_complete'] : [])];
    if (!open.includes(delivery.status)) return apiError(400, 'noncancelable_delivery');
    return { status: 200, body: Object.assign(delivery, body) };
  }
  if (!['pending', 'pickup'].includes(delivery.status)) return apiError(400, 'noncancelable_delivery');
  delivery.status = 'canceled';
  return { status: 200, body: delivery };
}

function quote(books: UberBooks, body: Json): UberAnswer {
  if (isTooFar(body)) return apiError(400, 'address_undeliverable');
  books.quotes += 1;
  const id = `dqt_${books.quotes}`;
  const times = { created: CREATED, expires: '2026-06-10T17:15:00Z', duration: 1500 };
  return { status: 200, body: { id, fee: 749, currency: 'usd', ...times } };
}

function create(books: UberBooks, body: Json): UberAnswer {
  const key = String(body.idempotency_key);
  const known = books.keys.get(key);
  const first = books.deliveries.find(({ id }) => id === known);
  if (first && books.pointsToDuplicates) return apiError(409, 'duplicate_delivery', { delivery_id: first.id });
  if (first) return { status: 200, body: first };
  if (isTooFar(body)) return apiError(400, 'address_undeliverable');
  const id = `del_${books.deliveries.length + 1}_${key}`;
  const delivery = {
    id,
    status: 'pending',
    external_id: key,
    quote_id: body.quote_id,
    fee: 749,
    currency: 'usd',
    tracking_url: `https://track.example/${id}`,
    created: CREATED,
    updated: CREATED,
  };
  books.deliveries.push(delivery);
  books.keys.set(key, id);
  return { status: 200, body: delivery };
}

const isTooFar = ({ dropoff_address: address }: Json): boolean => String(address).includes('Far Street');

/** Uber's message may echo the request, so no part of it may be passed on. */
export const apiError = (status: number, code: string, metadata: Json = {}): UberAnswer => ({
  status,
  body: { code, message: `No: Test Customer, 10 W 21st St, +12125550199.`, kind: 'error', metadata },
});

/** A call by Uber to the service's webhook. */
export type UberEvent = { body: Buffer; headers: Record<string, string> };

export function signed(secret: string, event: object): UberEvent {
  const body = Buffer.from(JSON.stringify(event, undefined, 1));
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'x-uber-signature': signature } };
}
