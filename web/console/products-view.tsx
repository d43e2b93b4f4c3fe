import { useState } from 'preact/hooks';
import { store as words } from '../../src/platform/languages/en/store.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import { ProductRow } from './product-row.tsx';
import { useProducts } from './use-products.ts';
import type { Desk } from './use-step.ts';

const { products: say } = words;

/** The store's products: search, availability and stock. */
export function ProductsView({ desk }: { desk: Desk }) {
  const [query, setQuery] = useState('');
  const [isOffOnly, setOffOnly] = useState(false);
  const list = useProducts(desk, query, isOffOnly);
  return (
    <div class="page">
      <h1 class="unseen">{say.title}</h1>
      <div class="view-head search">
        <input
          type="search"
          placeholder={say.search}
          value={query}
          enterkeyhint="search"
          autocomplete="off"
          aria-label={say.search}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <button type="button" class="button" aria-pressed={isOffOnly} onClick={() => setOffOnly(!isOffOnly)}>
          {say.soldOut}
        </button>
      </div>
      <section class="panel" aria-label={say.title} aria-busy={list.isLoading}>
        <Alert text={list.error} />
        <ul class="rows">
          {list.products.map((product) => (
            <ProductRow key={product.external_id} desk={desk} product={product} show={list.show} />
          ))}
        </ul>
        {list.products.length === 0 && !list.isLoading && !list.error && (
          <p class="empty">{isOffOnly ? say.allAvailable : say.noMatch}</p>
        )}
        {list.more && (
          <Button isBusy={list.isLoading} onPress={list.more}>
            {list.isLoading ? say.loading : say.showMore}
          </Button>
        )}
      </section>
    </div>
  );
}
