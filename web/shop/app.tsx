import type { TargetedMouseEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { LANGUAGE_NAMES } from '../../src/platform/languages/language.ts';
import type { ShopBrand } from '../../src/surfaces/shop/shop-visit.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { KEPT_CART, unitsIn } from './cart.ts';
import { useKept } from './kept-state.ts';
import { writeListQuery } from './list-query.ts';
import { ListView } from './list-view.tsx';
import { OrdersView } from './orders-view.tsx';
import { Icon } from './sheet.tsx';
import { type Shop, ShopProvider } from './shop-context.ts';
import { StoreView } from './store-view.tsx';

/** A shop page: the brand above, one view below. */
export function App({ shop }: { shop: Shop }) {
  const { brand, isSandbox, page, language, languages, customer } = shop.boot;
  const { pathOf } = shop;
  const { frame } = words;
  return (
    <ShopProvider value={shop}>
      <a class="skip" href="#main">
        {frame.skip}
      </a>
      <header class="masthead">
        <a class="brand" href={pathOf('/')}>
          <Logo brand={brand} />
        </a>
        <nav class="places" aria-label={brand.name}>
          <a href={pathOf('/orders')}>{frame.orders}</a>
          {customer !== undefined && <a href={pathOf('/profile')}>{customer ? frame.account : frame.signIn}</a>}
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

/** The brand's logo; its name where it has none, or where the logo does not load. */
function Logo({ brand: { name, logoUrl } }: { brand: ShopBrand }) {
  const [isBroken, setBroken] = useState(false);
  const element = useRef<HTMLImageElement>(null);
  // The logo may have failed before the page hydrated.
  useEffect(() => setBroken(element.current?.complete === true && element.current.naturalWidth === 0), []);
  if (!logoUrl || isBroken) return <span>{name}</span>;
  const fail = () => setBroken(true);
  return <img ref={element} src={logoUrl} alt={name} height="32" onError={fail} referrerpolicy="no-referrer" />;
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

/** Lets a link to another language keep the address's current filters and the open layer. */
function keepPlace({ currentTarget: link }: TargetedMouseEvent<HTMLAnchorElement>): void {
  const query = new URLSearchParams(location.search);
  query.set('lang', link.hreflang);
  link.search = String(query);
  link.hash = location.hash;
}
