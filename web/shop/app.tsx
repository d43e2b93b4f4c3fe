import type { TargetedMouseEvent } from 'preact';
import { LANGUAGE_NAMES } from '../../src/platform/languages/language.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { KEPT_CART, unitsIn } from './cart.ts';
import { useKept } from './kept-state.ts';
import { writeListQuery } from './list-query.ts';
import { ListView } from './list-view.tsx';
import { OrdersView } from './orders-view.tsx';
import { Icon } from './sheet.tsx';
import { type Shop, ShopProvider } from './shop-context.ts';
import { StoreView } from './store-view.tsx';

/** A page of the shop: the brand above, one view below. */
export function App({ shop }: { shop: Shop }) {
  const { brand, isSandbox, page, language, languages } = shop.boot;
  const { pathOf } = shop;
  const { frame } = words;
  return (
    <ShopProvider value={shop}>
      <a class="skip" href="#main">
        {frame.skip}
      </a>
      <header class="top">
        <a class="brand" href={pathOf('/')}>
          {brand.logoUrl && <img src={brand.logoUrl} alt="" height="32" width="160" referrerpolicy="no-referrer" />}
          <span class={brand.logoUrl && 'unseen'}>{brand.name}</span>
        </a>
        <nav class="places" aria-label={brand.name}>
          <a href={pathOf('/orders')}>{frame.orders}</a>
          {page.kind !== 'store' && <CartLink />}
        </nav>
        {isSandbox && <p class="test">{frame.sandbox}</p>}
      </header>
      {page.kind === 'list' && <ListView page={page} />}
      {page.kind === 'store' && <StoreView page={page} />}
      {page.kind === 'orders' && <OrdersView />}
      {page.kind === 'missing' && (
        <main id="main" tabIndex={-1}>
          <h1>{frame.unknownStore}</h1>
          <p>
            {frame.unknownStoreWhy} <a href={pathOf('/')}>{frame.home}</a>
          </p>
        </main>
      )}
      <footer class="bottom">
        <nav class="languages" aria-label={frame.languages}>
          {languages
            .filter((other) => other !== language)
            .map((other) => (
              <a
                key={other}
                href={page.kind === 'list' ? writeListQuery(page.query, other) : `?lang=${other}`}
                lang={other}
                hreflang={other}
                onClick={keepPlace}
              >
                {LANGUAGE_NAMES[other]}
              </a>
            ))}
        </nav>
      </footer>
    </ShopProvider>
  );
}

/** The way back into the cart from a page that does not show it. */
function CartLink() {
  const cart = useKept(KEPT_CART);
  if (!cart) return null;
  return (
    <a href={`${cart.store.path}#cart`}>
      <Icon name="cart" /> {words.cart.view({ count: unitsIn(cart.lines) })}
    </a>
  );
}

/** Lets a link to another language keep what the address says by now: filters, and what is open above the page. */
function keepPlace({ currentTarget: link }: TargetedMouseEvent<HTMLAnchorElement>): void {
  const query = new URLSearchParams(location.search);
  query.set('lang', link.hreflang);
  link.search = String(query);
  link.hash = location.hash;
}
