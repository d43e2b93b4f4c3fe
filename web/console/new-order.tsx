import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import { phoneInWords, readPhone } from '../../src/platform/lib/phone.ts';
import { shop as shopWords } from '../../src/texts/en/shop.ts';
import { driver, errors, newOrder as say } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Field, Radios } from '../field.tsx';
import type { ShopPage } from '../shop/boot.ts';
import { type Cart, KEPT_CART } from '../shop/cart.ts';
import { type Finish, Review } from '../shop/cart-review.tsx';
import { hasTexts, isObject, KEPT_SETTINGS, type Kept, keepInTab } from '../shop/device.ts';
import { KEPT_DOOR } from '../shop/door.ts';
import { changeKept, useKept } from '../shop/kept-state.ts';
import { readPage } from '../shop/read-page.ts';
import { Sheet } from '../shop/sheet.tsx';
import { createShop, type Shop, ShopProvider, useShop } from '../shop/shop-context.ts';
import { useStore } from '../shop/store-context.ts';
import { StoreView } from '../shop/store-view.tsx';
import { startPage } from '../start-page.ts';
import { refusalInWords } from './api.ts';

/*
 * A store takes an order for a customer, such as by phone (docs/store-api.md#phone-orders): the shop's menu and cart
 * with the customer's name and phone, in a frame of the console, which continues ringing.
 */

/** The customer on the phone, and how the order is paid. */
type Caller = { name: string; phone: string; pay: 'at_store' | 'link' };
const KEPT_CALLER: Kept<Caller> = { name: 'caller', isValue: isCaller };
const NO_CALLER: Caller = { name: '', phone: '', pay: 'at_store' };

function isCaller(value: unknown): value is Caller {
  return isObject(value) && hasTexts(value, ['name', 'phone', 'pay']);
}

/** The next customer has another cart and another door. */
function forgetCaller(): void {
  const none = () => undefined;
  changeKept(KEPT_CART, none);
  changeKept(KEPT_SETTINGS, none);
  changeKept(KEPT_DOOR, none);
  changeKept(KEPT_CALLER, none);
}

type SentLink = { url: string; phone: number; isTexted: boolean };

/** The last look at a customer's cart: placed to be paid at the store, or sent to the customer as a link. */
function PhoneReview({ cart }: { cart: Cart }) {
  const { api } = useShop();
  const caller = useKept(KEPT_CALLER) ?? NO_CALLER;
  const [sent, setSent] = useState<SentLink>();
  if (sent) return <LinkSheet {...sent} />;
  const finish: Finish = {
    go: say.go,
    goFor: caller.pay === 'link' ? say.send : say.place,
    going: say.placing,
    fields: <CallerFields caller={caller} />,
    async run({ order }, priced) {
      const phone = readPhone(caller.phone)?.number;
      if (phone === undefined) return errors.codes.invalid_request;
      const body = { ...priced, user_name: caller.name.trim(), user_phone: caller.phone, pay: caller.pay };
      try {
        // Pressed again after a lost response, the same priced order is the same order.
        const taken = await api.orders.create(body, { idempotencyKey: `${order?.orderId} ${caller.pay}` });
        const isTexted = 'link_texted' in taken && taken.link_texted === true;
        if (taken.order_placed) leave();
        else setSent({ url: taken.checkout_url ?? '', phone, isTexted });
        return undefined;
      } catch (error) {
        return faultOf(error);
      }
    },
  };
  return <Review cart={cart} finish={finish} />;
}

/** Goes to the new order among the others. */
function leave(): void {
  forgetCaller();
  window.parent.location.href = `${home}#orders`;
}

function faultOf(error: unknown): string {
  if (!(error instanceof DoorstepError)) return errors.offline;
  if (error.code === 'payment_gateway_not_configured') return say.noCards;
  return refusalInWords(error.status, error.code);
}

function CallerFields({ caller }: { caller: Caller }) {
  const set = (change: Partial<Caller>) => changeKept(KEPT_CALLER, () => ({ ...caller, ...change }));
  return (
    <>
      <h3>{say.customer}</h3>
      <Field
        class="entry"
        label={driver.name}
        required
        maxLength={200}
        autocomplete="off"
        value={caller.name}
        set={(name) => set({ name })}
      />
      <Field
        class="entry"
        label={driver.phone}
        type="tel"
        required
        pattern="([^0-9]*[0-9]){8,15}[^0-9]*"
        maxLength={40}
        autocomplete="off"
        value={caller.phone}
        set={(phone) => set({ phone })}
      />
      <fieldset class="entry">
        <legend>{say.pay}</legend>
        <Radios
          name="pay"
          value={caller.pay}
          set={(pay) => set({ pay })}
          options={[
            ['at_store', say.atStore],
            ['link', say.byLink],
          ]}
        />
      </fieldset>
    </>
  );
}

/** Where the customer pays, to read out where no SMS can be sent. */
function LinkSheet({ url, phone, isTexted }: SentLink) {
  const { close } = useStore();
  function done(): void {
    close();
    forgetCaller();
  }
  return (
    <Sheet title={say.link} close={done} footer={<Button kind="main" onPress={done} text={say.done} />}>
      <p role="status">{isTexted ? say.linkSent({ phone: phoneInWords(phone) }) : say.linkShown}</p>
      {!isTexted && <p class="checkout-link">{url}</p>}
    </Sheet>
  );
}

function NewOrder({ shop, storeId }: { shop: Shop; storeId: string }) {
  const [page, setPage] = useState<ShopPage>();
  useEffect(() => {
    const request = { requested: { kind: 'store', storeId }, near: null, storeIds: null, knowsPlace: false } as const;
    readPage(shop.api, request).then(setPage, () => setPage({ kind: 'missing' }));
  }, []);
  if (page?.kind !== 'store') {
    return (
      <main id="main">
        <p role="status">{page ? shopWords.frame.failed : shopWords.frame.loading}</p>
      </main>
    );
  }
  return (
    <ShopProvider value={shop}>
      <StoreView page={page} Review={PhoneReview} />
    </ShopProvider>
  );
}

/** Requests as the signed-in store: its cookie is its key, and its orders use their own endpoint. */
const sendAsStore: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.delete('id-token');
  const answer = await fetch(String(input).replace(/\/order\/order\/v2$/, '/store/orders'), { ...init, headers });
  if (answer.status === 401) window.parent.location.reload();
  return answer;
};

const { base = '', home = '', storeId = '', now = '', sandbox } = document.getElementById('app')?.dataset ?? {};
startPage((root) => {
  keepInTab();
  const language = document.documentElement.lang as Language;
  const shop = createShop(
    {
      apiBase: base,
      publishableKey: 'session',
      language,
      languages: [language],
      isSandbox: sandbox !== undefined,
      isTaken: true,
      brand: { name: '' },
      base: '',
      nowEpochS: Number(now),
      page: { kind: 'missing' },
    },
    `${location.origin}${base}`,
    sendAsStore,
  );
  root.replaceChildren();
  render(<NewOrder shop={shop} storeId={storeId} />, root);
});
