import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CreateOrderBody, QuoteFailure } from '../../clients/typescript/src/api-types.ts';
import { NO_ADDRESS } from '../../src/supply/stores/street-address.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { listen } from '../listen.ts';
import { isRight } from '../wrong-fields.ts';
import { type Cart, KEPT_CART, type OrderTerms, orderBody } from './cart.ts';
import { Codes, Hints, Lines, setCart, Totals } from './cart-view.tsx';
import { keepOrder, readKept } from './device.ts';
import { doorParts, KEPT_DOOR } from './door.ts';
import { changeKept, useKept } from './kept-state.ts';
import { OrderFields } from './order-fields.tsx';
import { type Pricing, usePricing } from './pricing.ts';
import { Plain, Sheet } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { useStore } from './store-context.ts';

/* The cart as it is reviewed before it becomes an order. */

const { cart: say, store: storeWords, frame } = words;

/** The last look at a cart that its customer takes to the hosted checkout. */
export function CheckoutReview({ cart }: { cart: Cart }) {
  const { store } = useStore();
  const finish: Finish = {
    go: say.toCheckout,
    goFor: say.checkOut,
    going: say.leaving,
    async run({ checkoutUrl, order }) {
      if (checkoutUrl === undefined || order === undefined) return frame.failed;
      const { orderId, orderKey: key } = order;
      const savedAtEpochS = Math.floor(Date.now() / 1000);
      keepOrder({ orderId, key, storeId: store._id, storeName: store.name, savedAtEpochS });
      location.assign(checkoutUrl);
      return undefined;
    },
  };
  return <Review cart={cart} finish={finish} />;
}

/** How a reviewed cart becomes an order: at the hosted checkout, or by a store that takes it for a customer. */
export type Finish = {
  /** The texts of its button: without a total, with one, and while it runs. */
  go: string;
  goFor(total: { amount: string }): string;
  going: string;
  /** Fields besides the cart's. */
  fields?: ComponentChildren;
  /** Says why there is no order; undefined where there is one. */
  run(pricing: Pricing, body: CreateOrderBody): Promise<string | undefined>;
};

/** The last look at a cart: what, where, when, and the total. */
export function Review({ cart, finish }: { cart: Cart; finish: Finish }) {
  const { boot, pathOf } = useShop();
  const { store, settings, pickup, open, close } = useStore();
  const entered = useKept(KEPT_DOOR);
  const { place } = settings;
  const parts = place ? doorParts(place, entered) : NO_ADDRESS;
  const returnUrl = location.origin + pathOf('/orders');
  const terms: OrderTerms = { place, parts, pickup, language: boot.language, returnUrl };
  const { pricing, again, check } = usePricing(cart, terms, pickup || place !== null);
  const [seenTotal, setSeenTotal] = useState<number>();
  const [isLeaving, setLeaving] = useState(false);
  const [fault, setFault] = useState('');
  const isNowhere = !pickup && place === null;
  const total = pricing.quote?.total_with_tip;

  // The back button may restore the page as it was left.
  useEffect(() => listen(window, 'pageshow', () => setLeaving(false)), []);

  async function leave(event: Event): Promise<void> {
    event.preventDefault();
    if (isNowhere) return open('address');
    const form = document.querySelector<HTMLFormElement>('#review');
    if (!form || !isRight(form)) return;
    if (pricing.state !== 'priced' && pricing.state !== 'waiting') {
      form.querySelector<HTMLElement>('li:has(.fault) button')?.focus();
      return pricing.state === 'refused' ? undefined : again();
    }
    setLeaving(true);
    setFault('');
    const checked = await check();
    if (!form.isConnected) return;
    const { order, quote: priced } = checked;
    if (order === undefined || priced?.total_with_tip !== total) {
      setSeenTotal(total);
      return setLeaving(false);
    }
    const unfinished = await finish.run(checked, orderBody({ ...cart, order }, terms));
    if (unfinished === undefined) return;
    setFault(unfinished);
    setLeaving(false);
  }

  const footer = (
    <>
      <PricingFault cart={cart} pricing={pricing} again={again} />
      <FinishButton finish={finish} pricing={pricing} isNowhere={isNowhere} isLeaving={isLeaving} />
    </>
  );
  return (
    <Sheet title={say.titleFrom({ store: store.name })} close={close} footer={footer}>
      <form id="review" noValidate onSubmit={leave}>
        <Changes pricing={pricing} seenTotal={seenTotal} />
        <Lines cart={cart} faults={pricing.faults} />
        <Plain onClick={close}>{say.addMore}</Plain>
        <Hints cart={cart} />
        {finish.fields}
        <OrderFields cart={cart} parts={parts} />
        <Codes cart={cart} pricing={pricing} />
        {pricing.quote && <Totals quote={pricing.quote} isOld={pricing.state !== 'priced'} />}
        <p class="fault" role="alert">
          {fault}
        </p>
      </form>
    </Sheet>
  );
}

type FinishProps = { finish: Finish; pricing: Pricing; isNowhere: boolean; isLeaving: boolean };

function FinishButton({ finish, pricing, isNowhere, isLeaving }: FinishProps) {
  const { format } = useStore();
  const total = pricing.quote?.total_with_tip;
  function text(): string {
    if (isLeaving) return finish.going;
    if (isNowhere) return storeWords.enterAddress;
    if (pricing.state === 'waiting') return say.pricing;
    return pricing.state === 'priced' && total !== undefined
      ? finish.goFor({ amount: format.money(total) })
      : finish.go;
  }

  return (
    <button
      type="submit"
      form="review"
      class="main wide"
      aria-busy={isLeaving || (pricing.state === 'waiting' && !isNowhere)}
      disabled={isLeaving}
    >
      {text()}
    </button>
  );
}

/** Prices that changed since the customer saw them. */
function Changes({ pricing, seenTotal }: { pricing: Pricing; seenTotal: number | undefined }) {
  const { format } = useStore();
  const total = pricing.quote?.total_with_tip;
  return (
    <div class="notices" role="status">
      {pricing.changes.map(({ line, beforeCents }) => (
        <p key={line.lineId} class="notice">
          {say.priceChanged({
            name: line.name,
            before: format.money(beforeCents),
            after: format.money(line.unitCents),
          })}
        </p>
      ))}
      {seenTotal !== undefined && total !== undefined && seenTotal !== total && (
        <p class="notice">{say.totalChanged({ before: format.money(seenTotal), after: format.money(total) })}</p>
      )}
    </div>
  );
}

const QUOTE_FAULTS = {
  STORE_CLOSED: storeWords.closed,
  OUT_OF_RANGE: storeWords.outOfRange,
  DELIVERY_NOT_AVAILABLE: storeWords.noDelivery,
  PICKUP_NOT_AVAILABLE: storeWords.noPickup,
  STORE_NOT_AVAILABLE: storeWords.notAvailable,
};
/** Why a store takes no order of this kind. */
export const quoteFaultText = (code: QuoteFailure['code'], store: string) => QUOTE_FAULTS[code]({ store });

type FaultProps = { cart: Cart; pricing: Pricing; again: () => void };

/** Why there is no total, and what to do, such as to remove the lines that are no longer sold. */
function PricingFault({ cart, pricing: { state, problem, faults }, again }: FaultProps) {
  const { store } = useStore();
  if (state === 'priced' || state === 'waiting') return null;
  const lines = cart.lines.filter(({ lineId }) => faults.get(lineId) !== 'gone');
  const isGone = lines.length > 0 && lines.length < cart.lines.length;
  const codes: Readonly<Record<string, string>> = {
    order_minimum_not_met: say.belowMinimum,
    slot_unavailable: say.slotGone,
  };
  const text =
    state === 'refused'
      ? problem?.quote_error
        ? quoteFaultText(problem.quote_error, store.name)
        : (codes[problem?.code ?? ''] ?? say.refused)
      : { offline: storeWords.offline, busy: frame.busy, failed: frame.failed }[state];
  return (
    <div class="faults" role="alert">
      <p>{text}</p>
      {isGone && <Plain onClick={() => setCart({ lines })}>{say.removeGone}</Plain>}
      {problem?.code === 'slot_unavailable' && <Plain onClick={() => setCart({ slotId: '' })}>{say.asap}</Plain>}
      {state !== 'refused' && <Plain onClick={again}>{frame.retry}</Plain>}
    </div>
  );
}

/**
 * After the checkout: the cart of a placed order is done; who wants to change something is back at the cart. Returns
 * the placed order's ID.
 */
export function returnFromCheckout(): string | undefined {
  const given = new URLSearchParams(location.search);
  const orderId = given.get('order_id') ?? undefined;
  const isPlaced = given.get('status') === 'placed';
  const cart = readKept(KEPT_CART);
  if (cart && cart.order?.orderId === orderId) {
    if (isPlaced) changeKept(KEPT_CART, () => undefined);
    else location.replace(`${cart.store.path}#cart`);
  }
  return isPlaced ? orderId : undefined;
}
