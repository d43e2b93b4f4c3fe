import type { ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FullQuote } from '../../clients/typescript/src/api-types.ts';
import type { HandedCart } from '../../src/surfaces/shop/shop-visit.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { BareField } from '../field.tsx';
import { listen } from '../listen.ts';
import { AddressField } from './address-field.tsx';
import type { FoundStore } from './api.ts';
import type { ShopPage } from './boot.ts';
import {
  addLine,
  type Cart,
  type CartLine,
  type CartStore,
  cartOfHanded,
  cartOfOrder,
  changeLine,
  deliveryRate,
  KEPT_CART,
  subtotalCents,
} from './cart.ts';
import { CheckoutReview, quoteFaultText } from './cart-review.tsx';
import { CartBar, SideCart } from './cart-view.tsx';
import { type DeviceSettings, KEPT_SETTINGS, NO_SETTINGS, readKept, readOrders } from './device.ts';
import { ItemDialog } from './item-dialog.tsx';
import { changeKept, newId, useKept } from './kept-state.ts';
import { ModeChoice } from './list-view.tsx';
import { When, whenText } from './order-fields.tsx';
import { type Product, ProductList, type Shelf } from './product-list.tsx';
import { Icon, Plain, Press, Round, Sheet, useOpened } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { CoverImage, feeText, offerTexts, openingText, opensText, Stars, webPicture } from './store-card.tsx';
import { type OpenStore, StoreProvider, useStore } from './store-context.ts';
import { HolidayNotes, StoreInfo, StoreLinks } from './store-info.tsx';
import { StoreSearch } from './store-search.tsx';
import { type Chapter, useMenu } from './use-menu.ts';
import { weightOf } from './weights.ts';

/* A store's page: head, categories, products and its cart. */

const { store: say, item, cart: cartWords } = words;

type Props = {
  page: Extract<ShopPage, { kind: 'store' }>;
  /** The last look at the cart. */
  Review?: ComponentType<{ cart: Cart }>;
};

/** A store with its menu, and the cart. The dialog above the menu is named after the `#` of the address. */
export function StoreView({ page, Review = CheckoutReview }: Props) {
  const { store } = page;
  const shop = useShop();
  const format = shop.formatFor(store.address.country);
  const cartStore = { storeId: store._id, name: store.name, path: shop.pathOfStore(store), country: format.country };
  const kept = useKept(KEPT_SETTINGS);
  const [isReady, setReady] = useState(false);
  const settings = kept ?? NO_SETTINGS;
  const pickup = pickupOf(store, isReady ? settings.pickup : page.pickup);
  const menu = useMenu(store, page.menu, { place: settings.place, pickup }, isReady);
  const openCart = useOpenCart(cartStore, menu.quote);
  const { anyCart, cart, put, slotId, setSlot } = openCart;
  const { opened, open, replace, close } = useOpened();
  const parameters = new URLSearchParams(opened);
  const [query, setQuery] = useState('');
  const products = useMemo(
    () =>
      new Map(
        menu.sections.flatMap((section) =>
          (section.products ?? []).map((product) => [product.product_id, product] as const),
        ),
      ),
    [menu.sections],
  );
  const counts = useMemo(() => countUnits(cart), [cart]);
  const soldOut = new Map(
    (cart?.lines ?? []).flatMap(({ lineId, productId }) =>
      products.get(productId)?.is_available === false ? [[lineId, 'gone'] as const] : [],
    ),
  );
  const shelf = useShelf({ store, format, cart, put, open });

  useEffect(() => setReady(true), []);
  useOrderedCart(cart);
  useReorder(parameters.get('again'), cartStore, openCart, replace);
  useHanded(cartStore, shop.boot, openCart, replace);

  const setSettings = (change: Partial<DeviceSettings>) =>
    changeKept(KEPT_SETTINGS, (before = NO_SETTINGS) => ({ ...before, ...change }));

  const itemId = parameters.get('item');
  const edited = cart?.lines.find(({ lineId }) => lineId === parameters.get('line'));
  const chosen = { settings, setSettings, pickup, slotId, setSlot };
  const shared = { store, format, menu, products, ...chosen, cart, counts, shelf, open, close };
  return (
    <StoreProvider value={shared}>
      <main id="main" class="store" tabIndex={-1}>
        <div class="store-main">
          <StoreHead />
          <Bar query={query} setQuery={setQuery} />
          {anyCart && !cart && (
            <p class="notice">
              <a href={`${anyCart.store.path}#cart`}>{cartWords.otherStore({ store: anyCart.store.name })}</a>
            </p>
          )}
          {query.trim() === '' ? <Menu /> : <StoreSearch query={query.trim()} />}
        </div>
        <SideCart faults={soldOut} />
        {cart && <CartBar cart={cart} />}
        {itemId !== null && (
          <ItemDialog
            productId={itemId}
            listed={products.get(itemId)}
            line={edited}
            save={(line) => {
              put(line);
              close();
            }}
          />
        )}
        {opened === 'cart' && cart && <Review cart={cart} />}
        {opened === 'address' && <AddressSheet />}
        {opened === 'when' && <WhenSheet />}
        {opened === 'categories' && <Categories />}
        {opened === 'info' && <StoreInfo />}
        <CartNotices openCart={openCart} />
      </main>
    </StoreProvider>
  );
}

type OpenCart = ReturnType<typeof useOpenCart>;

/** The cart, where it is of this store, its slot, and how lines get into it. */
function useOpenCart(cartStore: CartStore, quote: FullQuote | undefined) {
  const anyCart = useKept(KEPT_CART);
  const cart = anyCart?.store.storeId === cartStore.storeId ? anyCart : undefined;
  /** A cart that would replace the current one. */
  const [pending, setPending] = useState<Cart>();
  const [notice, setNotice] = useState('');
  const [wanted, setWanted] = useState('');
  const chosen = cart?.slotId ?? wanted;
  const first = quote?.asap_available === false ? (quote.time_estimate.scheduled[0]?.id ?? '') : '';
  function setSlot(slotId: string): void {
    setWanted(slotId);
    if (cart) changeKept(KEPT_CART, (kept) => kept && { ...kept, slotId });
  }
  useEffect(() => {
    if (cart && chosen === '' && first !== '') setSlot(first);
  }, [cart, chosen, first]);
  /** Puts a line into the cart, after a question where that is another store's. */
  function put(line: CartLine): void {
    if (anyCart && !cart) {
      setPending(addLine(undefined, cartStore, line, wanted));
      return;
    }
    const isKnown = cart?.lines.some(({ lineId }) => lineId === line.lineId);
    const change = (before: Cart | undefined) =>
      before && isKnown ? changeLine(before, line) : addLine(before, cartStore, line, wanted);
    if (cart && change(cart) === cart) setNotice(cartWords.full);
    else changeKept(KEPT_CART, change);
  }
  return { anyCart, cart, put, slotId: chosen || first, setSlot, pending, setPending, notice, setNotice };
}

type ShelfProps = Pick<OpenStore & OpenCart, 'store' | 'format' | 'cart' | 'open' | 'put'>;

/** How products open and change the cart: one object for all of the visit, so that no row of the menu renders again. */
function useShelf({ store, format, ...changing }: ShelfProps): Shelf {
  const latest = useRef(changing);
  latest.current = changing;
  return useMemo(
    () => ({
      format,
      timeZone: store.time_zone,
      isTiled: store.type === 'grocery',
      open: ({ product_id: id }) => latest.current.open(`item=${encodeURIComponent(id)}`),
      setQuantity(product, quantity) {
        const lines = (latest.current.cart?.lines ?? []).filter(({ productId }) => productId === product.product_id);
        const line = lines.find(({ notes }) => notes === '') ?? lines[0];
        // The card shows the units of all its lines, and this one takes the difference.
        const more = quantity - lines.reduce((sum, each) => sum + each.quantity, 0);
        latest.current.put(
          line ? { ...line, quantity: Math.max(0, line.quantity + more) } : plainLine(product, quantity),
        );
      },
    }),
    [],
  );
}

/** The items of an earlier order, which the address names, become the cart. */
function useReorder(
  orderId: string | null,
  cartStore: CartStore,
  { setNotice, setPending }: OpenCart,
  replace: (hash: string) => void,
): void {
  const { api } = useShop();
  useEffect(() => {
    const order = readOrders().find((one) => one.orderId === orderId);
    if (!order) return;
    const fill = async () => {
      const { orders } = await api.orders.list({ order_id: order.orderId, order_key: order.key }).first();
      const [found] = orders;
      const ids = (found?.items ?? []).flatMap((one) => (one.unit ? (one.substituted_for ?? one.product_id) : []));
      const sold = await Promise.all(
        ids.map((product_id) =>
          api.products.get({ product_id, pickup: found?.pickup ?? false }).catch(() => undefined),
        ),
      );
      const weights = new Map(sold.map((product, at) => [ids[at], product && weightOf(product)]));
      const again = found && cartOfOrder(found, cartStore, newId, (id) => weights.get(id));
      const isFirst = readKept(KEPT_CART) === undefined;
      if (!again) setNotice(words.frame.failed);
      else if (isFirst) changeKept(KEPT_CART, () => again);
      else setPending(again);
      replace(again && isFirst ? 'cart' : '');
    };
    fill().catch(() => setNotice(words.frame.failed));
  }, [orderId]);
}

/** An agent's cart becomes this device's; an existing cart is kept until the customer decides. */
function useHanded(
  cartStore: CartStore,
  { handed, codes }: Partial<HandedCart>,
  { setPending }: OpenCart,
  replace: (hash: string) => void,
): void {
  useEffect(() => {
    if (!handed) return;
    const cart = cartOfHanded({ handed, codes }, cartStore, newId);
    const isFirst = readKept(KEPT_CART) === undefined;
    if (isFirst) changeKept(KEPT_CART, () => cart);
    else setPending(cart);
    // The store's page, so that reading it again does not fill the cart again.
    history.replaceState(null, '', cartStore.path);
    replace(isFirst ? 'cart' : '');
  }, [handed]);
}

function AddressSheet() {
  const { settings, setSettings, close } = useStore();
  return (
    <Sheet title={settings.place ? say.changeAddress : say.enterAddress} close={close}>
      <AddressField
        place={settings.place}
        onPlace={(place) => {
          setSettings({ place });
          close();
        }}
      />
    </Sheet>
  );
}

/** Now or later. */
function WhenSheet() {
  const { menu, slotId, setSlot, close } = useStore();
  if (!menu.quote) return null;
  const done = (
    <Press class="main" onClick={close}>
      {say.useTime}
    </Press>
  );
  return (
    <Sheet title={cartWords.when} close={close} footer={done}>
      <When quote={menu.quote} slotId={slotId} set={setSlot} />
    </Sheet>
  );
}

/** Why the cart stayed as it is, and whether another may replace it. */
function CartNotices({ openCart: { anyCart, pending, setPending, notice, setNotice } }: { openCart: OpenCart }) {
  return (
    <>
      {notice !== '' && (
        <Sheet title={cartWords.title} close={() => setNotice('')}>
          <p role="alert">{notice}</p>
        </Sheet>
      )}
      {pending && anyCart && (
        <Sheet title={item.newCart} close={() => setPending(undefined)}>
          <p>{item.newCartWhy({ store: anyCart.store.name })}</p>
          <p class="buttons">
            <Press
              class="main"
              onClick={() => {
                changeKept(KEPT_CART, () => pending);
                setPending(undefined);
              }}
            >
              {item.startNew}
            </Press>
            <Press onClick={() => setPending(undefined)}>{item.keepCart}</Press>
          </p>
        </Sheet>
      )}
    </>
  );
}

/** Delivery or pickup: the visitor's choice, where the store offers it. */
function pickupOf(
  { delivery_enabled: delivers, pickup_enabled: handsOut }: FoundStore,
  wanted: boolean | null,
): boolean {
  return !delivers || (handsOut && (wanted ?? false));
}

function countUnits(cart: Cart | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { productId, quantity } of cart?.lines ?? [])
    counts.set(productId, (counts.get(productId) ?? 0) + quantity);
  return counts;
}

function plainLine(product: Product, quantity: number): CartLine {
  const { product_id: productId, name, price: unitCents } = product;
  const image = product.thumbnail_image ?? product.image ?? '';
  const sold = weightOf(product);
  const weight = sold && { ...sold, optionsCents: 0 };
  return { lineId: newId(), productId, name, image, quantity, unitCents, weight, options: [], notes: '' };
}

/** Empties a cart whose order has been placed in the meantime, in another tab or before the back button. */
function useOrderedCart(cart: Cart | undefined): void {
  const { api } = useShop();
  const order = cart?.order;
  useEffect(() => {
    const check = async () => {
      if (!order || !readOrders().some(({ orderId }) => orderId === order.orderId)) return;
      const { orders } = await api.orders.list({ order_id: order.orderId, order_key: order.orderKey }).first();
      const isPlaced = orders[0] !== undefined && orders[0].status !== 'unplaced';
      if (isPlaced) changeKept(KEPT_CART, (kept) => (kept?.order?.orderId === order.orderId ? undefined : kept));
    };
    const checkQuietly = () => void check().catch(() => {});
    checkQuietly();
    return listen(window, 'pageshow', checkQuietly);
  }, [order?.orderId]);
}

/** Picture with the logo over it, name, rating, and an order's fee and time. */
function StoreHead() {
  const { store, menu, settings, setSettings, pickup, format, open } = useStore();
  const { name, cuisines, dollar_signs: dollars } = store;
  const { weighted_rating_value: rating, aggregated_rating_count: ratings } = store;
  const { boot } = useShop();
  const picture = webPicture([...store.store_photos, boot.brand.coverUrl ?? '', ...store.food_photos]);
  const logo = webPicture(store.logo_photos);
  const opening = openingText(store, format, boot.nowEpochS);
  const hasBoth = store.delivery_enabled && store.pickup_enabled;
  return (
    <div class="store-head">
      {picture && (
        <div class="cover">
          <CoverImage source={picture} />
          {logo && <img class="logo" src={logo} alt="" width="64" height="64" referrerpolicy="no-referrer" />}
        </div>
      )}
      <h1 class={boot.isTaken ? 'unseen' : ''}>{name}</h1>
      <p class="about">
        {opening && !menu.quoteError && <b>{opening}</b>}
        {rating !== undefined && <Stars rating={rating} count={ratings} format={format} />}
        {dollars !== null && dollars > 0 && <span>{'$'.repeat(dollars)}</span>}
        {cuisines.length > 0 && <span>{cuisines.slice(0, 3).join(', ')}</span>}
      </p>
      <p class="about reach">
        <span>
          <Plain onClick={() => open('info')}>{say.info}</Plain>
        </span>
        <StoreLinks store={store} />
      </p>
      <HolidayNotes store={store} format={format} />
      {offerTexts(store, format, boot).map((text) => (
        <p key={text} class="offer">
          {text}
        </p>
      ))}
      <div class="way">
        {hasBoth && <ModeChoice pickup={pickup} onChange={(chosen) => setSettings({ pickup: chosen })} />}
        {!pickup && (
          <Plain class="place" onClick={() => open('address')}>
            <Icon name="pin" />
            <span>{settings.place?.address ?? say.enterAddress}</span>
          </Plain>
        )}
      </div>
      <Terms />
      <Banner hasBoth={hasBoth} />
    </div>
  );
}

function Terms() {
  const store = useStore();
  const { menu, pickup, format, slotId, cart, open } = store;
  const { quote } = menu;
  if (!quote) return null;
  const when = whenText(quote, slotId, store);
  const subtotal = Math.max(quote.order_minimum, cart ? subtotalCents(cart.lines) : 0);
  return (
    <p class="about terms">
      {quote.time_estimate.scheduled.length === 0 ? (
        <b>{when}</b>
      ) : (
        <b>
          <Plain onClick={() => open('when')} label={`${cartWords.when}: ${when}`}>
            <Icon name="clock" /> {when}
          </Plain>
        </b>
      )}
      {!pickup && <span>{feeText(deliveryRate(quote, slotId, subtotal), format)}</span>}
      {quote.order_minimum > 0 && <span>{say.minimum({ amount: format.money(quote.order_minimum) })}</span>}
    </p>
  );
}

/** Why the store takes no order of this kind, and the way out. */
function Banner({ hasBoth }: { hasBoth: boolean }) {
  const { store, menu, pickup, format, setSettings, open } = useStore();
  const { quote, quoteError, stale } = menu;
  const at = quoteError?.available_at;
  const code = quoteError?.code;
  return (
    <div role="status">
      {stale && <p class="notice">{stale === 'offline' ? say.offline : say.stale}</p>}
      {quote && !quote.asap_available && <p class="notice">{say.later}</p>}
      {code && (
        <p class="notice">
          {quoteFaultText(code, store.name)} {at != null && opensText(at, format, store.time_zone, Date.now() / 1000)}{' '}
          {code === 'OUT_OF_RANGE' && <Plain onClick={() => open('address')}>{say.changeAddress}</Plain>}{' '}
          {hasBoth &&
            (code === 'OUT_OF_RANGE' || code === 'DELIVERY_NOT_AVAILABLE' || code === 'PICKUP_NOT_AVAILABLE') && (
              <Plain onClick={() => setSettings({ pickup: !pickup })}>{pickup ? say.tryDelivery : say.tryPickup}</Plain>
            )}
        </p>
      )}
    </div>
  );
}

/** Categories and search, in sight while the menu scrolls. */
function Bar({ query, setQuery }: { query: string; setQuery: (query: string) => void }) {
  const { menu, open, store } = useStore();
  const label = store.type === 'grocery' ? say.searchProducts : say.search;
  return (
    <div class="bar">
      <div class="bar-line">
        <Round icon="list" label={say.allCategories} onClick={() => open('categories')} />
        <div class="bar-search">
          <Icon name="search" />
          <BareField type="search" label={label} value={query} enterkeyhint="search" set={setQuery} />
        </div>
      </div>
      {query === '' && (
        <nav class="chapters" aria-label={say.categories}>
          <ul>
            {menu.chapters.map(({ id, name, sectionId }) => (
              <li key={id}>
                <a href={`#${sectionId}`} data-chapter={id} onClick={(event) => jump(event, sectionId)}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

/** Scrolls to a section without a step of the back button, and moves the focus there. */
function jump(event: Event, sectionId: string): void {
  event.preventDefault();
  const section = document.getElementById(sectionId);
  section?.scrollIntoView();
  section?.querySelector('h2')?.focus({ preventScroll: true });
}

function Menu() {
  const { sections, chapters, read } = useStore().menu;
  if (sections.length === 0) return <p>{say.empty}</p>;
  return <ProductList sections={sections} read={read} reach={(id) => markChapter(chapters, id)} />;
}

/** Marks the chapter of the section at the top, and keeps its link in sight. Beside the rendering: it runs while scrolling. */
function markChapter(chapters: readonly Chapter[], sectionId: string): void {
  const chapter = chapters.find(({ sectionIds }) => sectionIds.includes(sectionId));
  const nav = document.querySelector('.chapters');
  const link = chapter && nav?.querySelector<HTMLElement>(`[data-chapter="${CSS.escape(chapter.id)}"]`);
  const marked = nav?.querySelector('[aria-current]');
  if (!nav || !link || marked === link) return;
  marked?.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'true');
  nav.scrollTo({ left: link.offsetLeft - nav.clientWidth / 3 });
}

/** The whole tree of categories. */
function Categories() {
  const { menu, close } = useStore();
  const { chapters, sections } = menu;
  const names = new Map(sections.map(({ id, name, count }) => [id, { name, count }]));
  const go = (event: Event, id: string) => {
    event.preventDefault();
    close();
    // The page scrolls back to where it was when the dialog closes.
    window.setTimeout(() => jump(event, id), 50);
  };
  return (
    <Sheet title={say.allCategories} close={close}>
      <ul class="tree">
        {chapters.map(({ id, name, sectionId, sectionIds }) => (
          <li key={id}>
            <a href={`#${sectionId}`} onClick={(event) => go(event, sectionId)}>
              {name}
            </a>
            {sectionIds.length > 1 && (
              <ul>
                {sectionIds.map((each) => (
                  <li key={each}>
                    <a href={`#${each}`} onClick={(event) => go(event, each)}>
                      {names.get(each)?.name} <span class="hint">{names.get(each)?.count}</span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
