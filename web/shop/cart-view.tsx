import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  CreateOrderBody,
  FinalQuote,
  FullQuote,
  QuoteFailure,
  Slot,
} from '../../clients/typescript/src/api-types.ts';
import { DROP_OFF_PLACES, type DropOff } from '../../src/ordering/order/order.ts';
import { momentAt } from '../../src/platform/languages/format.ts';
import {
  NO_ADDRESS,
  namesDoor,
  readStreet,
  type StreetAddress,
  writeStreet,
} from '../../src/supply/stores/street-address.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { taxName } from '../../src/texts/en/tax-name.ts';
import {
  type Cart,
  type CartLine,
  changeLine,
  hintsOf,
  KEPT_CART,
  type LineFault,
  MAX_QUANTITY,
  type OrderTerms,
  orderBody,
  subtotalCents,
  unitsIn,
} from './cart.ts';
import { DEVICE_ZONE, keepOrder, readKept } from './device.ts';
import { doorParts, isWhole, KEPT_DOOR, storeStreet } from './door.ts';
import { changeKept, useKept } from './kept-state.ts';
import { type Pricing, usePricing } from './pricing.ts';
import { Icon, Sheet, Stepper } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { useStore } from './store-context.ts';

/* The cart: beside the menu, as a bar on a phone, and reviewed before it becomes an order. */

const { cart: say, store: storeWords, list, frame } = words;

const setLine = (line: CartLine, change: Partial<CartLine>) =>
  changeKept(KEPT_CART, (kept) => kept && changeLine(kept, { ...line, ...change }));
const setCart = (change: Partial<Cart>) => changeKept(KEPT_CART, (kept) => kept && { ...kept, ...change });

/** What is in the cart, with its quantities. */
function Lines({ cart, faults }: { cart: Cart; faults: ReadonlyMap<string, LineFault> }) {
  const { format, open } = useStore();
  const edit = (line: CartLine) => open(`item=${encodeURIComponent(line.productId)}&line=${line.lineId}`);
  return (
    <ul class="lines">
      {cart.lines.map((line) => {
        const { lineId, name, quantity, unitCents, options, notes } = line;
        const fault = faults?.get(lineId);
        return (
          <li key={lineId}>
            <div class="line-text">
              <button type="button" class="plain name" onClick={() => edit(line)} aria-label={say.edit({ name })}>
                {name}
              </button>
              {options.length > 0 && <p class="hint">{options.map(optionText).join(', ')}</p>}
              {notes !== '' && <p class="hint">“{notes}”</p>}
              {fault && <p class="fault">{say[fault]}</p>}
            </div>
            <span class="line-price">{format.money(unitCents * quantity)}</span>
            {fault === 'gone' ? (
              <button
                type="button"
                class="plain"
                aria-label={say.remove({ name })}
                onClick={() => setLine(line, { quantity: 0 })}
              >
                <Icon name="close" />
              </button>
            ) : (
              <Stepper
                name={name}
                quantity={quantity}
                min={0}
                max={MAX_QUANTITY}
                set={(next) => setLine(line, { quantity: next })}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const optionText = ({ name, quantity }: CartLine['options'][number]) => (quantity > 1 ? `${quantity} × ${name}` : name);

/** What a few more items would change. */
function Hints({ cart }: { cart: Cart }) {
  const { menu, format } = useStore();
  const { quote } = menu;
  if (!quote) return null;
  const { toMinimum, toNoSmallFee, smallFeeCents, toLowerFee, lowerFeeCents } = hintsOf(
    subtotalCents(cart.lines),
    quote,
  );
  const texts = [
    toMinimum > 0 && say.toMinimum({ amount: format.money(toMinimum) }),
    toMinimum === 0 &&
      toNoSmallFee > 0 &&
      smallFeeCents > 0 &&
      say.toNoSmallFee({ amount: format.money(toNoSmallFee), fee: format.money(smallFeeCents) }),
    toLowerFee > 0 &&
      (lowerFeeCents === 0
        ? say.toFreeDelivery({ amount: format.money(toLowerFee) })
        : say.toLowerFee({ amount: format.money(toLowerFee), fee: format.money(lowerFeeCents) })),
  ].filter((text) => typeof text === 'string');
  return (
    <div class="hints" role="status">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** The cart beside the menu of a wide screen. */
export function SideCart({ faults }: { faults: ReadonlyMap<string, LineFault> }) {
  const { cart, format, open } = useStore();
  return (
    <aside class="side-cart" aria-label={say.title}>
      <h2>{say.title}</h2>
      {cart ? (
        <>
          <Lines cart={cart} faults={faults} />
          <Hints cart={cart} />
          <p class="sum">
            <span>{say.subtotal}</span> <span>{format.money(subtotalCents(cart.lines))}</span>
          </p>
          <button type="button" class="main wide" onClick={() => open('cart')}>
            {say.review}
          </button>
        </>
      ) : (
        <p class="hint">{say.empty}</p>
      )}
    </aside>
  );
}

/** The bar at the bottom of a phone: how much is in the cart, and the way into it. */
export function CartBar({ cart }: { cart: Cart }) {
  const { format, open } = useStore();
  const count = unitsIn(cart.lines);
  return (
    <div class="cart-bar">
      <button type="button" class="main wide" onClick={() => open('cart')}>
        <Icon name="cart" />
        <span>{say.view({ count })}</span>
        <span>{format.money(subtotalCents(cart.lines))}</span>
      </button>
    </div>
  );
}

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
  /** What its button says: without a total, with one, and while it runs. */
  go: string;
  goFor(total: { amount: string }): string;
  going: string;
  /** Fields besides those of the cart. */
  fields?: ComponentChildren;
  /** Says why there is no order; undefined where there is one. */
  run(pricing: Pricing, body: CreateOrderBody): Promise<string | undefined>;
};

/** The last look at a cart: what, where, when, and the total. */
export function Review({ cart, finish }: { cart: Cart; finish: Finish }) {
  const { boot, pathOf } = useShop();
  const { store, settings, pickup, menu, open, close } = useStore();
  const entered = useKept(KEPT_DOOR);
  const { place } = settings;
  const parts = place ? doorParts(place, entered) : NO_ADDRESS;
  const returnUrl = location.origin + pathOf('/orders');
  const terms: OrderTerms = { place, parts, pickup, language: boot.language, returnUrl };
  const { pricing, again, check } = usePricing(cart, terms, pickup || place !== null);
  useFirstSlot(cart, menu.quote);
  const [seenTotal, setSeenTotal] = useState<number>();
  const [isLeaving, setLeaving] = useState(false);
  const [fault, setFault] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const isNowhere = !pickup && place === null;
  const isDoorMissing = !pickup && !isWhole(parts);
  const total = pricing.quote?.total_with_tip;
  const gone = cart.lines.filter(({ lineId }) => pricing.faults.get(lineId) === 'gone');

  // The back button may restore the page as it was left.
  useEffect(() => {
    const comeBack = () => setLeaving(false);
    window.addEventListener('pageshow', comeBack);
    return () => window.removeEventListener('pageshow', comeBack);
  }, []);

  async function leave(event: Event): Promise<void> {
    event.preventDefault();
    if (isNowhere) return open('address');
    if (isDoorMissing) return setSubmitted(true);
    setLeaving(true);
    setFault('');
    const checked = await check();
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

  const footer = <FinishButton finish={finish} pricing={pricing} isNowhere={isNowhere} isLeaving={isLeaving} />;
  return (
    <Sheet title={say.titleFrom({ store: store.name })} close={close} footer={footer}>
      <form id="review" onSubmit={leave}>
        <Changes pricing={pricing} seenTotal={seenTotal} />
        <Lines cart={cart} faults={pricing.faults} />
        <PricingFault pricing={pricing} again={again}>
          {gone.length > 0 && gone.length < cart.lines.length && (
            <button
              type="button"
              class="plain"
              onClick={() => setCart({ lines: cart.lines.filter((line) => !gone.includes(line)) })}
            >
              {say.removeGone}
            </button>
          )}
        </PricingFault>
        <button type="button" class="plain" onClick={close}>
          {say.addMore}
        </button>
        <Hints cart={cart} />
        {finish.fields}
        <OrderFields cart={cart} parts={parts} isSubmitted={isSubmitted && isDoorMissing} />
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
      disabled={!isNowhere && (pricing.state !== 'priced' || isLeaving)}
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

/** Where, when and how the order is handed over. */
function OrderFields({ cart, parts, isSubmitted }: { cart: Cart; parts: StreetAddress; isSubmitted: boolean }) {
  const { store, settings, pickup, menu } = useStore();
  return (
    <>
      <h3>{pickup ? say.pickUpAt : say.deliverTo}</h3>
      {pickup ? (
        <p>{storeStreet(store.address)}</p>
      ) : (
        <DoorFields address={settings.place?.address} parts={parts} isSubmitted={isSubmitted} />
      )}
      <label class="entry">
        {pickup ? say.pickupNotes : say.dropoffNotes}
        <input maxLength={500} value={cart.notes} onChange={(event) => setCart({ notes: event.currentTarget.value })} />
      </label>
      <DropOffFields dropOff={cart.dropOff} pickup={pickup} set={(dropOff) => setCart({ dropOff })} />
      {menu.quote && <When quote={menu.quote} slotId={cart.slotId} />}
      <label class="entry">
        {say.substitution}
        <select
          value={cart.substitution}
          onChange={(event) =>
            setCart({ substitution: event.currentTarget.value === 'refund' ? 'refund' : 'store_choice' })
          }
        >
          <option value="store_choice">{say.storeChoice}</option>
          <option value="refund">{say.refund}</option>
        </select>
      </label>
    </>
  );
}

/** Why a store takes no order of this kind. */
export function quoteFaultText(code: QuoteFailure['code'], store: string): string {
  const texts = {
    STORE_CLOSED: storeWords.closed,
    OUT_OF_RANGE: storeWords.outOfRange,
    DELIVERY_NOT_AVAILABLE: storeWords.noDelivery,
    PICKUP_NOT_AVAILABLE: storeWords.noPickup,
    STORE_NOT_AVAILABLE: storeWords.notAvailable,
  };
  return texts[code]({ store });
}

/** Proposes the first slot of a store that takes no order as soon as possible. */
function useFirstSlot({ slotId }: Cart, quote: FullQuote | undefined): void {
  const first = quote?.asap_available === false ? quote.time_estimate.scheduled[0]?.id : undefined;
  useEffect(() => {
    if (slotId === '' && first !== undefined) setCart({ slotId: first });
  }, [slotId, first]);
}

type FaultProps = { pricing: Pricing; again: () => void; children: ComponentChildren };

/** Why there is no total, and what to do. */
function PricingFault({ pricing: { state, problem }, again, children }: FaultProps) {
  const { store } = useStore();
  if (state === 'priced' || state === 'waiting') return null;
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
      {children}
      {problem?.code === 'slot_unavailable' && (
        <button type="button" class="plain" onClick={() => setCart({ slotId: '' })}>
          {say.asap}
        </button>
      )}
      {state !== 'refused' && (
        <button type="button" class="plain" onClick={again}>
          {frame.retry}
        </button>
      )}
    </div>
  );
}

type DoorProps = { address: string | undefined; parts: StreetAddress; isSubmitted: boolean };

/** The address, and fields for what a driver needs beside it. */
function DoorFields({ address, parts, isSubmitted }: DoorProps) {
  const { open } = useStore();
  const set = (change: Partial<StreetAddress>) => {
    if (address !== undefined) changeKept(KEPT_DOOR, () => ({ address, parts: { ...parts, ...change } }));
  };
  const [isOpen] = useState(!isWhole(parts));
  const names = FIELDS.filter((name) => isOpen || name === 'aptNum');
  const isMissing = (name: Field) =>
    name === 'streetName' ? !namesDoor(parts) : name !== 'aptNum' && parts[name].trim() === '';
  return (
    <>
      <p class="line">
        <span>{address}</span>{' '}
        <button type="button" class="plain" onClick={() => open('address')}>
          {address === undefined ? storeWords.enterAddress : storeWords.changeAddress}
        </button>
      </p>
      {isSubmitted && (
        <p class="fault" role="alert">
          {say.incomplete}
        </p>
      )}
      {address !== undefined &&
        names.map((name) => (
          <label key={name} class="entry">
            {LABELS[name]}
            <input
              maxLength={100}
              value={name === 'streetName' ? writeStreet(parts) : parts[name]}
              autocomplete={AUTOCOMPLETE[name]}
              aria-invalid={isSubmitted && isMissing(name)}
              onChange={({ currentTarget: { value } }) =>
                set(name === 'streetName' ? readStreet(value) : { [name]: value.trim() })
              }
            />
          </label>
        ))}
    </>
  );
}

/** Number and street are one field. */
const FIELDS = ['streetName', 'aptNum', 'city', 'state', 'zipcode'] as const;
type Field = (typeof FIELDS)[number];
const LABELS = { streetName: say.street, aptNum: say.apt, city: say.city, state: say.state, zipcode: say.zip };
const AUTOCOMPLETE = {
  streetName: 'address-line1',
  aptNum: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  zipcode: 'postal-code',
} as const;

/** As soon as possible, or a slot of a day. */
function When({ quote, slotId }: { quote: FullQuote; slotId: string }) {
  const { asap_available: isAsap, time_estimate: estimate } = quote;
  const { format, store } = useStore();
  const zone = [store.time_zone, DEVICE_ZONE] as const;
  const days = new Map<string, Slot[]>();
  for (const slot of estimate.scheduled) {
    const day = format.day(momentAt(slot.minimum), zone);
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  const chosen = estimate.scheduled.find(({ id }) => id === slotId);
  const day = chosen && format.day(momentAt(chosen.minimum), zone);
  const pick = (name: string) => setCart({ slotId: days.get(name)?.[0]?.id ?? '' });
  const minutes = list.minutes({ from: estimate.minimum, to: estimate.maximum });
  return (
    <div class="when">
      <label class="entry">
        {say.when}
        <select value={day ?? ''} onChange={(event) => pick(event.currentTarget.value)}>
          {isAsap ? <option value="">{say.asapIn({ minutes })}</option> : <option value="">{say.day}</option>}
          {[...days.keys()].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {day !== undefined && (
        <label class="entry">
          {say.time}
          <select value={slotId} onChange={(event) => setCart({ slotId: event.currentTarget.value })}>
            {days.get(day)?.map(({ id, minimum, maximum }) => (
              <option key={id} value={id}>
                {format.slot({ startEpochS: minimum, endEpochS: maximum }, zone, momentAt(minimum))}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

const TAX_NAMES: Readonly<Record<string, string>> = taxName;
const shownTax = (name: string) => (Object.hasOwn(TAX_NAMES, name) && TAX_NAMES[name]) || name;

/** The price of the cart, fee by fee. */
function Totals({ quote: final, isOld }: { quote: FinalQuote; isOld: boolean }) {
  const { format } = useStore();
  const { quote, total_with_tip: total } = final;
  const taxes = quote.taxes ?? [{ name: say.tax, amount: quote.sales_tax_cents }];
  const rows: [string, number][] = [
    [say.subtotal, quote.subtotal],
    [say.deliveryFee, quote.delivery_fee_cents],
    [say.serviceFee, quote.service_fee_cents],
    [say.smallOrderFee, quote.small_order_fee_cents],
    ...taxes.map(({ name, amount }): [string, number] => [shownTax(name), amount]),
  ];
  return (
    <table class={isOld ? 'totals old' : 'totals'}>
      <caption class="unseen">{say.total}</caption>
      <tbody>
        {rows
          .filter(([, cents]) => cents > 0)
          .map(([name, cents]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{format.money(cents)}</td>
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            {say.total} <span class="hint">{say.beforeTip}</span>
          </th>
          <td>{format.money(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** After the checkout: the cart of a placed order is done; who wants to change something is back at the cart. */
export function returnFromCheckout(): void {
  const given = new URLSearchParams(location.search);
  const cart = readKept(KEPT_CART);
  if (cart === undefined || cart.order?.orderId !== given.get('order_id')) return;
  if (given.get('status') === 'placed') changeKept(KEPT_CART, () => undefined);
  else location.replace(`${cart.store.path}#cart`);
}

type DropOffProps = { dropOff: DropOff | undefined; pickup: boolean; set: (dropOff: DropOff) => void };

/** Where a delivery is handed over, with utensils or without, and whether only for the code. */
function DropOffFields({ dropOff, pickup, set }: DropOffProps) {
  const { dropOff: says } = words;
  const { where, ...choices }: DropOff = dropOff ?? { where: 'hand_to_me', utensils: false, code: false };
  const check = (name: 'utensils' | 'code', label: string) => (
    <label class="choice">
      <input
        type="checkbox"
        checked={choices[name]}
        onChange={(event) => set({ where, ...choices, [name]: event.currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <fieldset class="entry">
      <legend class={pickup ? 'unseen' : ''}>{says.title}</legend>
      {!pickup && (
        <select
          aria-label={says.title}
          value={where}
          onChange={(event) => {
            const chosen = DROP_OFF_PLACES.find((place) => place === event.currentTarget.value);
            if (chosen) set({ ...choices, where: chosen });
          }}
        >
          {DROP_OFF_PLACES.map((place) => (
            <option key={place} value={place}>
              {says.where[place]}
            </option>
          ))}
        </select>
      )}
      {check('utensils', says.utensils)}
      {check('code', says.wantsCode)}
    </fieldset>
  );
}
