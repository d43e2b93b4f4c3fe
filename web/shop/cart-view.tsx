import { useState } from 'preact/hooks';
import type { FinalQuote } from '../../clients/typescript/src/api-types.ts';
import { present } from '../../packages/collections/present.ts';
import { rejectionInWords } from '../../src/supply/pricing/promotion.ts';
import { isCode, readCode } from '../../src/supply/promotions/promotion-code.ts';
import { estimate } from '../../src/texts/en/estimate.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { taxName } from '../../src/texts/en/tax-name.ts';
import { Field } from '../field.tsx';
import {
  type Cart,
  type CartLine,
  changeLine,
  hintsOf,
  KEPT_CART,
  type LineFault,
  lineCents,
  MAX_QUANTITY,
  subtotalCents,
  unitsIn,
} from './cart.ts';
import { changeKept } from './kept-state.ts';
import type { Pricing } from './pricing.ts';
import { sizeText } from './product-list.tsx';
import { Icon, Plain, Press, Stepper } from './sheet.tsx';
import { useStore } from './store-context.ts';
import { aboutText, unitPriceText, weightText } from './weights.ts';

/* The cart's lines, codes and price: alongside the menu, as a bar on a phone, and in the review. */

const { cart: say, promoCode: says } = words;

const setLine = (line: CartLine, change: Partial<CartLine>) =>
  changeKept(KEPT_CART, (kept) => kept && changeLine(kept, { ...line, ...change }));
export const setCart = (change: Partial<Cart>) => changeKept(KEPT_CART, (kept) => kept && { ...kept, ...change });

/** The items in the cart, with their quantities. */
export function Lines({ cart, faults }: { cart: Cart; faults: ReadonlyMap<string, LineFault> }) {
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
export function Hints({ cart }: { cart: Cart }) {
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
  ];
  return (
    <div class="nudges" role="status">
      {texts.map((text) => text && <p key={text}>{text}</p>)}
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

/** Promotion codes: the entered ones, why one doesn't apply, and a field for another. */
export function Codes({ cart: { codes = [] }, pricing: { quote } }: { cart: Cart; pricing: Pricing }) {
  const { format } = useStore();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const isValid = typed === '' || isCode(typed);
  const without = (code: string) => codes.filter((one) => one !== code);
  function add(): void {
    const code = isCode(typed) ? readCode(typed) : undefined;
    setWrong(code === undefined && typed !== '');
    if (code === undefined) return;
    setTyped('');
    setCart({ codes: [...without(code), code].slice(-MAX_CODES) });
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
              <Plain label={says.remove({ code })} onClick={() => setCart({ codes: without(code) })}>
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
export function Totals({ quote: final, isOld }: { quote: FinalQuote; isOld: boolean }) {
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
