import { useEffect, useRef, useState } from 'preact/hooks';
import type { FinalQuote, PlacedOrder, Problem } from '../../clients/typescript/src/api-types.ts';
import { DoorstepConnectionError, DoorstepError } from '../../clients/typescript/src/errors.ts';
import { present } from '../../packages/collections/present.ts';
import { listen } from '../listen.ts';
import {
  applyPrices,
  type Cart,
  KEPT_CART,
  type LineFault,
  lineFaults,
  type OrderTerms,
  orderBody,
  type PriceChange,
  priceKey,
  type StoredOrder,
} from './cart.ts';
import { changeKept } from './kept-state.ts';
import { useShop } from './shop-context.ts';

/*
 * The reviewed cart's price: the service stores it as an unplaced order, again after each change of its cost, and says
 * the price or why it cannot be ordered as it is. Free changes are stored on the way to the checkout.
 */

export type Pricing = {
  state: 'waiting' | 'priced' | 'refused' | 'offline' | 'busy' | 'failed';
  quote?: FinalQuote;
  checkoutUrl?: string;
  order?: StoredOrder;
  /** Lines with another price than shown to the customer. */
  changes: readonly PriceChange[];
  faults: ReadonlyMap<string, LineFault>;
  problem?: Partial<Problem>;
};

const NOTHING: Pricing = { state: 'waiting', changes: [], faults: new Map() };
/** Waits for the next change of a customer who is still pressing. */
const SETTLED_MS = 600;
/** A price that is older is checked again before the checkout. */
const FRESH_MS = 60_000;

type Priced = { pricing: Pricing; again(): void; check(): Promise<Pricing> };

/** The cart's price, kept up to date while `isOn`. `check` stores it as it is now, unless it just was. */
export function usePricing(cart: Cart, terms: OrderTerms, isOn: boolean): Priced {
  const { api } = useShop();
  const [pricing, setPricing] = useState<Pricing>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const stored = useRef({ body: '', atMs: 0 });
  const priced = priceKey(cart, terms);

  async function price(signal?: AbortSignal): Promise<Pricing> {
    const create = async (order: Cart['order']) => {
      const body = orderBody({ ...cart, order }, terms);
      const placed = await api.orders.create(body, signal ? { signal } : {});
      stored.current = { body: JSON.stringify(body), atMs: Date.now() };
      return placed;
    };
    try {
      const placed = await create(cart.order).catch((error: unknown) => {
        // The order has been placed, or is forgotten: the cart becomes a new one.
        if (cart.order && isAboutOrder(error)) return create(undefined);
        throw error;
      });
      return keepPrices(cart, placed);
    } catch (error) {
      return pricingOf(error, cart);
    }
  }

  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    setPricing((last) => ({ ...last, state: 'waiting', faults: NOTHING.faults }));
    const timer = window.setTimeout(
      async () => {
        const next = await price(controller.signal);
        if (!controller.signal.aborted) setPricing(next);
      },
      stored.current.atMs === 0 && attempt === 0 ? 0 : SETTLED_MS,
    );
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [priced, attempt, isOn]);

  const again = () => setAttempt((count) => count + 1);
  useEffect(() => listen(window, 'online', again), []);

  return {
    pricing,
    again,
    async check() {
      const { body, atMs } = stored.current;
      const isStored = body === JSON.stringify(orderBody(cart, terms)) && Date.now() - atMs < FRESH_MS;
      if (isStored && pricing.state === 'priced') return pricing;
      const next = await price();
      setPricing(next);
      return next;
    },
  };
}

/** Keeps the order's name with the cart, and the prices that the customer now sees. */
function keepPrices(
  cart: Cart,
  { order_id: orderId, final_quote: quote, checkout_url: checkoutUrl }: PlacedOrder,
): Pricing {
  const { lines, changes } = applyPrices(cart.lines, quote ?? { items: [] });
  const cents = new Map(lines.map(({ lineId, unitCents }) => [lineId, unitCents]));
  const order = { orderId, orderKey: checkoutUrl?.split('/').at(-1) ?? '' };
  changeKept(
    KEPT_CART,
    (kept) =>
      kept && {
        ...kept,
        lines: kept.lines.map((line) => ({ ...line, unitCents: cents.get(line.lineId) ?? line.unitCents })),
        order,
      },
  );
  const faults = NOTHING.faults;
  return { state: 'priced', order, changes, faults, ...present({ quote, checkoutUrl: checkoutUrl || undefined }) };
}

const isAboutOrder = (error: unknown) =>
  error instanceof DoorstepError && ['order_not_found', 'transition_not_allowed'].includes(error.code);

function pricingOf(error: unknown, cart: Cart): Pricing {
  if (error instanceof DoorstepConnectionError) return { ...NOTHING, state: 'offline' };
  if (!(error instanceof DoorstepError)) return { ...NOTHING, state: 'failed' };
  if (error.status === 429) return { ...NOTHING, state: 'busy' };
  if (error.status >= 500) return { ...NOTHING, state: 'failed' };
  return { ...NOTHING, state: 'refused', faults: lineFaults(cart.lines, error.problem), problem: error.problem };
}
