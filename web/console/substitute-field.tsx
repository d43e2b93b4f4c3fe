import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Alert } from './notices.tsx';
import type { Product } from './product-row.tsx';
import { useProducts } from './use-products.ts';
import type { Desk } from './use-step.ts';

/** Products that a search lists at a time: the rest is a word away. */
const MAX_LISTED = 6;

/** A product by its token or by the id of the feed. */
export type Choice = { id: string; name: string };

type Props = {
  desk: Desk;
  item: StoreOrder['items'][number];
  chosen: Choice | undefined;
  choose: (choice: Choice | undefined) => void;
};

/** What may come in place of an item, as its customer wants it. */
export function SubstituteField({ desk, item, chosen, choose }: Props) {
  const { preference } = item.substitution;
  if (preference === 'refund') return <p class="wish">The customer wants no substitute, but the money back.</p>;
  const named = item.named_substitutes.map(({ product_id: id, name }) => ({ id, name }));
  return (
    <fieldset>
      <legend>
        {preference === 'specific' ? 'The customer takes one of these instead.' : 'The customer leaves it to you.'}
      </legend>
      {preference === 'specific' ? (
        <Choices choices={named} chosen={chosen} choose={choose} />
      ) : (
        <AnyProduct desk={desk} item={item} chosen={chosen} choose={choose} />
      )}
    </fieldset>
  );
}

/** Any product of the store, found by its name. The link of one order opens no products. */
function AnyProduct({ desk, item, chosen, choose }: Props) {
  const [query, setQuery] = useState('');
  if (desk.context.isLinked) return <p class="hint">Substitutes are chosen in the console.</p>;
  return (
    <>
      <label class="field">
        Find a substitute
        <input
          type="search"
          value={query}
          autocomplete="off"
          enterkeyhint="search"
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </label>
      <Found desk={desk} query={query} item={item} chosen={chosen} choose={choose} />
    </>
  );
}

function Found({ desk, query, item, chosen, choose }: Props & { query: string }) {
  const { products, isLoading, error } = useProducts(desk, query, false);
  const found = products
    .filter((product) => isOffered(product, item.ordered_name))
    .slice(0, MAX_LISTED)
    .map(({ external_id: id, name }) => ({ id, name }));
  const isListed = found.some(({ id }) => id === chosen?.id);
  return (
    <div aria-busy={isLoading}>
      <Choices choices={chosen && !isListed ? [chosen, ...found] : found} chosen={chosen} choose={choose} />
      {found.length === 0 && !isLoading && !error && <p class="hint">No other available products match.</p>}
      <Alert text={error} />
    </div>
  );
}

function isOffered({ name, available, qty_available: left }: Product, orderedName: string): boolean {
  return available && left !== 0 && name !== orderedName;
}

type ChoicesProps = { choices: readonly Choice[]; chosen: Choice | undefined; choose: Props['choose'] };

function Choices({ choices, chosen, choose }: ChoicesProps) {
  return (
    <div class="choices">
      {[undefined, ...choices].map((choice) => (
        <label class="choice" key={choice?.id ?? ''}>
          <input
            type="radio"
            name="substitute"
            value={choice?.id ?? ''}
            checked={choice?.id === chosen?.id}
            onChange={() => choose(choice)}
          />
          {choice?.name ?? 'Nothing instead'}
        </label>
      ))}
    </div>
  );
}
