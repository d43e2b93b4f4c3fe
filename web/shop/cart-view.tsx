import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type {
  CreateOrderBody,
  FinalQuote,
  FullQuote,
  QuoteFailure,
  Slot,
} from '../../clients/typescript/src/api-types.ts';
import { present } from '../../packages/collections/present.ts';
import { DROP_OFF_PLACES, type DropOff } from '../../src/ordering/order/order.ts';
import { type Format, momentAt } from '../../src/platform/languages/format.ts';
import { rejectionInWords } from '../../src/supply/pricing/promotion.ts';
import { isCode, readCode } from '../../src/supply/promotions/promotion-code.ts';
import {
  NO_ADDRESS,
  namesDoor,
  readStreet,
  type StreetAddress,
  writeStreet,
} from '../../src/supply/stores/street-address.ts';
import { estimate } from '../../src/texts/en/estimate.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { taxName } from '../../src/texts/en/tax-name.ts';
import { Check, Field, Select } from '../field.tsx';
import { listen } from '../listen.ts';
import { isRight } from '../wrong-fields.ts';
import type { FoundStore } from './api.ts';
import type { Near } from './boot.ts';
import {
  type Cart,
  type CartLine,
  changeLine,
  hintsOf,
  KEPT_CART,
  type LineFault,
  lineCents,
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
import { sizeText } from './product-list.tsx';
import { Icon, Plain, Press, Sheet, Stepper } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { type OpenStore, useStore } from './store-context.ts';
import { aboutText, unitPriceText, weightText } from './weights.ts';

/* The cart: alongside the menu, as a bar on a phone, and reviewed before it becomes an order. */

const { cart: say, store: storeWords, list, frame } = words;

const setLine = (line: CartLine, change: Partial<CartLine>) =>
  changeKept(KEPT_CART, (kept) => kept && changeLine(kept, { ...line, ...change }));
const setCart = (change: Partial<Cart>) => changeKept(KEPT_CART, (kept) => kept && { ...kept, ...change });

/** The items in the cart, with their quantities. */
function Lines({ cart, faults }: { cart: Cart; faults: ReadonlyMap<string, LineFault> }) {
  const { format, open, products } = useStore();
  const edit = (line: CartLine) => open(`item=${encodeURIComponent(line.productId)}&line=${line.lineId}`);
  return (
    <ul class="lines">
      {cart.lines.map((line) => {
        const { lineId, name, image, quantity, unitCents, weight, options, notes } = line;
        const fault = faults?.get(lineId);
        const product = products.get(line.productId);
        const each = quantity > 1 && say.each({ amount: format.money(unitCents) });
        const facts = weight
          ? [aboutText(weight, quantity, format), unitPriceText(weight, unitCents - weight.optionsCents, format)]
          : [product && sizeText(product, format), each];
        return (
          <li key={lineId}>
            {image !== '' && <img class="thumb" src={image} alt="" width="56" height="56" loading="lazy" />}
            <div class="line-text">
              <Plain class="name" onClick={() => edit(line)} label={say.edit({ name })}>
                {name}
              </Plain>
              <p class="about">{facts.map((fact) => fact && <span key={fact}>{fact}</span>)}</p>
              {options.length > 0 && <p class="hint">{options.map(optionText).join(', ')}</p>}
              {notes !== '' && <p class="hint">“{notes}”</p>}
              {fault && <p class="fault">{say[fault]}</p>}
            </div>
            <span class="line-price">{format.money(lineCents(line))}</span>
            {fault === 'gone' ? (
              <Plain label={say.remove({ name })} onClick={() => setLine(line, { quantity: 0 })}>
                <Icon name="close" />
              </Plain>
            ) : (
              <Stepper
                name={name}
                quantity={quantity}
                min={0}
                max={weight?.max ?? MAX_QUANTITY}
                text={weight && weightText(weight, quantity, format)}
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

/** The effects of a few more items. */
function Hints({ cart }: { cart: Cart }) {
  const { menu, format } = useStore();
  const { quote } = menu;
  if (!quote) return null;
  const { toMinimum, toNoSmallFee, smallFeeCents, toLowerFee, lowerFeeCents } = hintsOf(
    subtotalCents(cart.lines),
    quote,
    cart.slotId,
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
    <div class="nudges" role="status">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** The cart alongside the menu of a wide screen. */
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
          <Press class="main wide" onClick={() => open('cart')}>
            {say.review}
          </Press>
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
      <PricingFault pricing={pricing} again={again}>
        <RemoveGone cart={cart} faults={pricing.faults} />
      </PricingFault>
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

/** Takes the lines that are no longer sold out of the cart, unless nothing would be left. */
function RemoveGone({ cart, faults }: { cart: Cart; faults: Pricing['faults'] }) {
  const lines = cart.lines.filter(({ lineId }) => faults.get(lineId) !== 'gone');
  if (lines.length === 0 || lines.length === cart.lines.length) return null;
  return <Plain onClick={() => setCart({ lines })}>{say.removeGone}</Plain>;
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

/** Where, when and how the order is handed off. */
function OrderFields({ cart, parts }: { cart: Cart; parts: StreetAddress }) {
  const { store, settings, pickup, menu } = useStore();
  return (
    <>
      <h3>{pickup ? say.pickUpAt : say.deliverTo}</h3>
      {pickup ? <p>{storeStreet(store.address)}</p> : <DoorFields place={settings.place} parts={parts} />}
      <Field
        class="entry"
        label={pickup ? say.pickupNotes : say.dropoffNotes}
        maxLength={500}
        value={cart.notes}
        set={(notes) => setCart({ notes })}
      />
      <DropOffFields dropOff={cart.dropOff} pickup={pickup} set={(dropOff) => setCart({ dropOff })} />
      {menu.quote && <When quote={menu.quote} slotId={cart.slotId} set={(slotId) => setCart({ slotId })} />}
      <Select
        class="entry"
        label={say.substitution}
        value={cart.substitution}
        set={(substitution) => setCart({ substitution })}
        options={[
          ['store_choice', say.storeChoice],
          ['refund', say.refund],
        ]}
      />
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
      {problem?.code === 'slot_unavailable' && <Plain onClick={() => setCart({ slotId: '' })}>{say.asap}</Plain>}
      {state !== 'refused' && <Plain onClick={again}>{frame.retry}</Plain>}
    </div>
  );
}

type DoorProps = { place: Near | null; parts: StreetAddress };

/** The address, and fields for the driver's details; for the whole address where the device's position found it. */
function DoorFields({ place, parts }: DoorProps) {
  const { open } = useStore();
  const address = place?.address;
  const set = (change: Partial<StreetAddress>) => {
    if (address !== undefined) changeKept(KEPT_DOOR, () => ({ address, parts: { ...parts, ...change } }));
  };
  const [isIncomplete] = useState(!isWhole(parts));
  const isOpen = isIncomplete || place?.isDevice === true;
  const fields = FIELDS.filter(([name]) => isOpen || name === 'aptNum');
  const isMissing = (name: (typeof FIELDS)[number][0]) =>
    name === 'streetName' ? !namesDoor(parts) : name !== 'aptNum' && parts[name].trim() === '';
  return (
    <>
      <p class="line">
        <span>{address}</span>{' '}
        <Plain onClick={() => open('address')}>
          {address === undefined ? storeWords.enterAddress : storeWords.changeAddress}
        </Plain>
      </p>
      {address !== undefined &&
        fields.map(([name, label, autocomplete]) => (
          <Field
            key={`${name} ${address}`}
            class="entry"
            label={label}
            maxLength={100}
            defaultValue={name === 'streetName' ? writeStreet(parts) : parts[name]}
            autocomplete={autocomplete}
            refusal={isMissing(name) ? say.incomplete : ''}
            onChange={({ currentTarget: { value } }) =>
              set(name === 'streetName' ? readStreet(value) : { [name]: value.trim() })
            }
          />
        ))}
    </>
  );
}

/** Number and street are one field. */
const FIELDS = [
  ['streetName', say.street, 'address-line1'],
  ['aptNum', say.apt, 'address-line2'],
  ['city', say.city, 'address-level2'],
  ['state', say.state, 'address-level1'],
  ['zipcode', say.zip, 'postal-code'],
] as const;

const zoneOf = ({ time_zone: zone }: FoundStore) => [zone, DEVICE_ZONE] as const;

/** The day of a slot, and its time. */
function slotTexts({ minimum, maximum }: Slot, format: Format, store: FoundStore): [day: string, time: string] {
  const [start, end] = [momentAt(minimum), momentAt(maximum)];
  const day = format.nearDay(start, zoneOf(store), { epochMilliseconds: Date.now() });
  return [day, format.range(start, end, zoneOf(store), start)];
}

/** When an order is wanted: now, with its minutes, or in a slot. */
export function whenText({ time_estimate: estimate }: FullQuote, slotId: string, { store, format }: OpenStore): string {
  const slot = estimate.scheduled.find(({ id }) => id === slotId);
  if (slot) return slotTexts(slot, format, store).join(', ');
  return `${storeWords.now} · ${list.minutes({ from: estimate.minimum, to: estimate.maximum })}`;
}

type WhenProps = { quote: FullQuote; slotId: string; set: (slotId: string) => void };

/** As soon as possible, or a slot of a day. */
export function When({ quote, slotId, set }: WhenProps) {
  const { asap_available: isAsap, time_estimate: estimate } = quote;
  const { format, store } = useStore();
  const dayOf = (slot: Slot) => slotTexts(slot, format, store)[0];
  const days = Map.groupBy(estimate.scheduled, dayOf);
  const chosen = estimate.scheduled.find(({ id }) => id === slotId);
  const day = chosen && dayOf(chosen);
  const minutes = list.minutes({ from: estimate.minimum, to: estimate.maximum });
  return (
    <div class="when">
      <Select
        class="entry"
        label={say.when}
        value={day}
        set={(name) => set(days.get(name)?.[0]?.id ?? '')}
        options={[
          ['', isAsap ? say.asapIn({ minutes }) : say.day],
          ...[...days.keys()].map((name) => [name, name] as const),
        ]}
      />
      {day !== undefined && (
        <Select
          class="entry"
          label={say.time}
          value={slotId}
          set={set}
          options={(days.get(day) ?? []).map((slot) => [slot.id, slotTexts(slot, format, store)[1]] as const)}
        />
      )}
    </div>
  );
}

/** Promotion codes: the entered ones, why one doesn't apply, and a field for another. */
function Codes({ cart: { codes = [] }, pricing: { quote } }: { cart: Cart; pricing: Pricing }) {
  const { format } = useStore();
  const { promoCode: says } = words;
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const isValid = typed === '' || isCode(typed);
  function add(): void {
    const code = isCode(typed) ? readCode(typed) : undefined;
    setWrong(code === undefined && typed !== '');
    if (code === undefined) return;
    setTyped('');
    setCart({ codes: [...codes.filter((one) => one !== code), code].slice(-MAX_CODES) });
  }
  function textOf(code: string): string {
    const found = quote?.rejected_codes?.find((one) => one.code === code);
    if (found) {
      const { reason, missing_cents: missingCents, items: itemNames } = found;
      return rejectionInWords(says, { code, reason, ...present({ missingCents, itemNames }) }, false, format);
    }
    return quote?.discounts?.some((one) => one.code === code) ? says.applied({ code }) : code;
  }
  return (
    <details class="codes" open={codes.length > 0}>
      <summary>{says.open}</summary>
      <div role="status">
        <ul>
          {codes.map((code) => (
            <li key={code}>
              <span>{textOf(code)}</span>{' '}
              <Plain
                label={says.remove({ code })}
                onClick={() => setCart({ codes: codes.filter((one) => one !== code) })}
              >
                <Icon name="close" />
              </Plain>
            </li>
          ))}
        </ul>
      </div>
      <Field
        class="entry"
        label={says.label}
        maxLength={64}
        autocomplete="off"
        autocapitalize="characters"
        value={typed}
        aria-invalid={isWrong}
        set={setTyped}
        onChange={add}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Press onClick={() => (isValid ? add() : document.querySelector<HTMLElement>('.codes input')?.focus())}>
        {says.add}
      </Press>
      <p class="fault" role="alert">
        {isWrong && says.malformed}
      </p>
    </details>
  );
}

const MAX_CODES = 10;

const TAX_NAMES: Readonly<Record<string, string>> = taxName;
const shownTax = (name: string) => (Object.hasOwn(TAX_NAMES, name) && TAX_NAMES[name]) || name;

/** The cart's price, fee by fee. */
function Totals({ quote: final, isOld }: { quote: FinalQuote; isOld: boolean }) {
  const { format } = useStore();
  const { quote, total_with_tip: total, at_most_cents: atMost, is_taken_now: isTakenNow, discounts = [] } = final;
  const taxes = quote.taxes ?? [{ name: say.tax, amount: quote.sales_tax_cents }];
  const rows: [string, number][] = [
    [say.subtotal, quote.subtotal],
    [say.deliveryFee, quote.delivery_fee_cents],
    [say.serviceFee, quote.service_fee_cents],
    [say.smallOrderFee, quote.small_order_fee_cents],
    ...taxes.map(({ name, amount }): [string, number] => [shownTax(name), amount]),
    ...discounts.map(({ title, code, amount }): [string, number] => [code ? `${title} · ${code}` : title, -amount]),
  ];
  const limitWords = isTakenNow ? estimate.takenNow : estimate.atMost;
  return (
    <>
      <table class={isOld ? 'totals old' : 'totals'}>
        <caption class="unseen">{say.total}</caption>
        <tbody>
          {rows
            .filter(([, cents]) => cents !== 0)
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
              {atMost === undefined ? say.total : say.estimated} <span class="hint">{say.beforeTip}</span>
            </th>
            <td>{format.money(total)}</td>
          </tr>
        </tfoot>
      </table>
      {atMost !== undefined && (
        <p class="hint">{limitWords({ amount: format.money(total), limit: format.money(atMost) })}</p>
      )}
    </>
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

type DropOffProps = { dropOff: DropOff | undefined; pickup: boolean; set: (dropOff: DropOff) => void };

/** Where a delivery is handed off, with utensils or without, and whether only for the code. */
function DropOffFields({ dropOff, pickup, set }: DropOffProps) {
  const { dropOff: says } = words;
  const { where, ...choices }: DropOff = dropOff ?? { where: 'hand_to_me', utensils: false, code: false };
  const check = (name: 'utensils' | 'code', label: string) => (
    <Check label={label} isOn={choices[name]} set={(isOn) => set({ where, ...choices, [name]: isOn })} />
  );
  return (
    <fieldset class="entry">
      <legend class="unseen">{says.title}</legend>
      {!pickup && (
        <Select
          class="entry"
          label={says.title}
          value={where}
          set={(place) => set({ ...choices, where: place })}
          options={DROP_OFF_PLACES.map((place) => [place, says.where[place]] as const)}
        />
      )}
      {check('utensils', says.utensils)}
      {check('code', says.wantsCode)}
    </fieldset>
  );
}
