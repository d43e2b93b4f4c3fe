import { createTokenSealer } from '../../src/platform/lib/tokens.ts';
import { sealSlot } from '../../src/supply/catalog/catalog-tokens.ts';
import { orderBody } from '../given/orders.ts';
import { type Shop, START_MS, type WorldCard, type WorldMode } from './base-world.ts';
import type { Chance } from './chance.ts';
import type { Answer, Clients, Request } from './clients.ts';
import { answerCharge, type GatewayBooks } from './simulated-gateway.ts';

export type Promised =
  | {
      what: 'placed';
      orderId: string;
      number: string;
      totalCents: number;
      /** Of goods by weight; the total of others. */
      atMostCents: number;
      idempotencyKey: string | null;
    }
  | { what: 'canceled' | 'answered'; orderId: string }
  | { what: 'refunded'; orderId: string; refundId: string; cents: number }
  | { what: 'tipped'; orderId: string; tipCents: number }
  | { what: 'stepped'; orderId: string; event: string };

export type OrderRequest = { mode: WorldMode; body: Record<string, unknown>; idempotencyKey: string | null };

export type Customers = {
  count: number;
  isRush: boolean;
  /** One order, from its first request to all later steps of its customer, store and driver. */
  live(number: number): Promise<void>;
  promised: Promised[];
  orderRequests: OrderRequest[];
};

const EVENTS = [
  'confirm',
  'confirm',
  'delay',
  'ready',
  'assign_driver',
  'pick_up',
  'approach',
  'complete',
  'cancel',
] as const;
/** Those of a store, which moves no driver. */
const STEPS = EVENTS.filter((event) => event !== 'approach');
const ONWARD = ['confirm', 'assign_driver', 'pick_up', 'complete'] as const;
const HOUR_S = 3600;
const MAX_COUNT = 3;

export type CustomersOptions = { clients: Clients; chance: Chance; gateway: GatewayBooks; shop: Shop };

export function createCustomers({ clients, chance, gateway, shop }: CustomersOptions): Customers {
  const { world } = clients;
  const promised: Promised[] = [];
  const orderRequests: OrderRequest[] = [];
  const tokens = createTokenSealer(world.secrets);
  // In a rush all customers want the last units and the last slots of one window.
  const isRush = chance.happens(0.4);
  const count = 1 + chance.below(MAX_COUNT);
  const scarce = shop.products
    .filter(({ stock }) => stock !== null)
    .toSorted((one, other) => (one.stock ?? 0) - (other.stock ?? 0));
  const wanted = isRush ? scarce.slice(0, 1) : shop.products;
  const slotOf = (mode: 'delivery' | 'pickup'): string => {
    const startEpochS = START_MS / 1000 + 2 * HOUR_S + (isRush ? 0 : chance.below(2)) * (HOUR_S / 2);
    return sealSlot(tokens, { mode, storeId: shop.storeId, startEpochS, endEpochS: startEpochS + HOUR_S / 2 });
  };
  const bodyOf = (number: number, card: WorldCard): Record<string, unknown> => {
    const pickup = chance.happens(0.4);
    const items = [chance.pick(wanted), chance.pick(wanted)]
      .slice(0, 1 + chance.below(2))
      .map(({ token, isWeighed }) => {
        const quantity = (1 + chance.below(2)) * (isWeighed ? 0.75 : 1);
        return { product_id: token, quantity };
      });
    const chargeUser = chance.happens(0.85);
    return orderBody(undefined, chargeUser ? card.paymentMethodId : null, {
      items,
      pickup,
      charge_user: chargeUser,
      user_phone: 12_122_000_000 + number,
      driver_tip_cents: chance.below(3) * 100,
      place_order: chance.happens(0.75),
      // No one in a run reads the customer's page, so no one has the code.
      ...(number % 4 === 0 ? { drop_off: { where: 'hand_to_me', utensils: false, code: true } } : {}),
      ...(chance.happens(0.35) ? { scheduled_id: slotOf(pickup ? 'pickup' : 'delivery') } : {}),
    });
  };
  const keep = createKeep(promised);
  return {
    count,
    isRush,
    promised,
    orderRequests,
    async live(number) {
      const mode: WorldMode = chance.happens(0.5) ? 'live' : 'sandbox';
      const isGood = chance.happens(0.75);
      const card = isGood ? world.cards[mode].at(chance.happens(0.2) ? -1 : 0) : chance.pick(world.cards[mode]);
      if (!card) throw new Error('The world has no cards.');
      const idempotencyKey = chance.happens(0.8) ? `key-${number}` : null;
      const body = bodyOf(number, card);
      orderRequests.push({ mode, body, idempotencyKey });
      const order = await place(clients, chance, gateway, { mode, body, idempotencyKey }, keep);
      if (order === undefined) return;
      const acting = [kitchen, kitchen, regrets].map((act) => act(number, mode, order));
      if (weighedIn(body).length > 0) acting.push(scale(mode, order, body));
      await Promise.all(acting);
    },
  };

  /** Store and driver in random order; most take the next step. */
  async function kitchen(_number: number, mode: WorldMode, orderId: string): Promise<void> {
    const acts = 1 + chance.below(4);
    for (let act = 0; act < acts; act += 1) {
      await clients.pause(chance.below(4000));
      const onward = ONWARD[act];
      const useStore = mode === 'live' || chance.happens(0.6);
      const step = onward && chance.happens(0.75) ? onward : chance.pick(useStore ? STEPS : EVENTS);
      if (useStore && chance.happens(0.15)) await lack(mode, orderId);
      const key = shop.storeKeys[mode];
      const request = useStore
        ? storeStep({ orderId, event: step, key, delayMinutes: 5 + chance.below(56) })
        : sandboxStep(orderId, step);
      const answer = await clients.insist({ ...request, tries: 2 });
      keep(answer, () => ({ what: 'stepped', orderId, event: step }));
    }
  }

  async function lack(mode: WorldMode, orderId: string): Promise<void> {
    const body = { quantity: chance.below(2) };
    const path = `/store/orders/${orderId}/items/0`;
    const answer = await clients.insist({ path, body, key: shop.storeKeys[mode], tries: 2 });
    keep(answer, () => ({ what: 'answered', orderId }));
  }

  /** What is handed off of goods by weight: about as ordered, or more than may be charged. */
  async function scale(mode: WorldMode, orderId: string, body: Record<string, unknown>): Promise<void> {
    for (const { index, quantity } of weighedIn(body)) {
      await clients.pause(chance.below(2000));
      const weight = Math.round(quantity * (900 + chance.below(250))) / 1000;
      const path = `/store/orders/${orderId}/items/${index}`;
      const request = { path, body: { weight, at_limit: chance.happens(0.8) }, key: shop.storeKeys[mode] };
      keep(await clients.insist(request), () => ({ what: 'answered', orderId }));
    }
  }

  function weighedIn({ items }: Record<string, unknown>): { index: number; quantity: number }[] {
    return (items as { product_id: string; quantity: number }[]).flatMap(({ product_id: token, quantity }, index) =>
      shop.products.some((product) => product.token === token && product.isWeighed) ? [{ index, quantity }] : [],
    );
  }

  function sandboxStep(orderId: string, event: string): Request {
    return { path: `/sandbox/orders/${orderId}/advance`, body: { event }, key: world.keys.sandbox };
  }

  /** The account's later requests: a higher tip, a refund, a cancelation. */
  async function regrets(number: number, mode: WorldMode, orderId: string): Promise<void> {
    const key = world.keys[mode];
    const acts = chance.below(3);
    for (let act = 0; act < acts; act += 1) {
      await clients.pause(chance.below(6000));
      const idempotencyKey = `act-${number}-${act}`;
      const which = chance.below(10);
      if (which < 4) {
        const tipCents = 300 + 100 * chance.below(6);
        const body = { order_id: orderId, driver_tip_cents: tipCents };
        const answer = await clients.insist({ path: '/order/tip', body, key, idempotencyKey });
        keep(answer, () => ({ what: 'tipped', orderId, tipCents }));
      } else if (which < 8) {
        const what = chance.happens(0.5) ? { amount: 50 + chance.below(2500) } : { items: [{ index: 0, quantity: 1 }] };
        const body = { order_id: orderId, reason: 'late', ...what };
        const answer = await clients.insist({ path: '/order/refund', body, key, idempotencyKey });
        keep(answer, () => {
          return {
            what: 'refunded',
            orderId,
            refundId: String(answer.body.refund_id),
            cents: Number(answer.body.amount),
          };
        });
      } else {
        const answer = await clients.insist({
          path: '/order/cancel',
          body: { order_id: orderId },
          key,
          idempotencyKey,
        });
        keep(answer, () => ({ what: 'canceled', orderId }));
      }
    }
  }
}

type Keep = (answer: Answer, promise: () => Promised) => void;

export const createKeep =
  (promised: Promised[]): Keep =>
  (answer, promise) => {
    if (answer.status === 200) promised.push(promise());
  };

type StoreStep = { orderId: string; event: string; key: string; delayMinutes: number };

export function storeStep({ orderId, event, key, delayMinutes }: StoreStep): Request {
  const bodies: Record<string, object> = {
    confirm: { preparation_minutes: 15 },
    delay: { minutes: delayMinutes },
    cancel: { reason: 'out_of_stock' },
    complete: { code: 'none' },
    assign_driver: { name: 'Driver', phone: 12125550177, vehicle_type: 'bicycle' },
  };
  return { path: `/store/orders/${orderId}/${event}`, body: bodies[event] ?? {}, key };
}

/** Places an order, finalizing it if it was only quoted or needs approval; returns its id once placed. */
export async function place(
  clients: Clients,
  chance: Chance,
  gateway: GatewayBooks,
  { mode, body, idempotencyKey }: OrderRequest,
  keep: Keep,
): Promise<string | undefined> {
  const key = clients.world.keys[mode];
  const isTwice = idempotencyKey !== null && chance.happens(0.2);
  // Without a key, a careful client does not repeat a request that may have placed an order.
  const request: Request = {
    path: '/order/order/v2',
    body,
    key,
    idempotencyKey,
    tries: idempotencyKey === null ? 1 : 5,
  };
  let [answer, second] = await Promise.all([clients.insist(request), isTwice ? clients.insist(request) : undefined]);
  for (const one of [answer, second]) {
    if (one?.body.order_placed === true) keep(one, () => placedPromise(one, idempotencyKey));
  }
  if (answer.status !== 200 && second) answer = second;
  const orderId = typeof answer.body.order_id === 'string' ? answer.body.order_id : undefined;
  if (orderId === undefined || answer.body.order_placed === true) return orderId;
  for (let tries = 0; tries < 3; tries += 1) {
    await clients.pause(chance.below(3000));
    if (answer.status === 402) approve(gateway, orderId, chance.happens(0.8));
    answer = await clients.insist({ path: '/order/finalize', body: { order_id: orderId }, key, tries: 4 });
    if (answer.status === 200) break;
  }
  keep(answer, () => placedPromise(answer, null));
  return answer.status === 200 ? orderId : undefined;
}

function approve(gateway: GatewayBooks, orderId: string, isApproved: boolean): void {
  for (const { chargeId, orderId: of } of gateway.charges.values())
    if (of === orderId) answerCharge(gateway, chargeId, isApproved);
}

function placedPromise({ body }: Answer, idempotencyKey: string | null): Promised {
  return {
    what: 'placed',
    orderId: String(body.order_id),
    number: String(body.order_number),
    totalCents: Number(body.final_quote?.total_with_tip),
    atMostCents: Number(body.final_quote?.at_most_cents ?? body.final_quote?.total_with_tip),
    idempotencyKey,
  };
}
