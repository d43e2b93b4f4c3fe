import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import type { Product } from './product-row.tsx';
import { useProducts } from './use-products.ts';
import type { Desk, Steps } from './use-step.ts';

/* Dialogs for an item that the store lacks: which one, how many units, and the substitute. */

const { missing } = words;

type Props = { desk: Desk; order: StoreOrder; index: number; steps: Steps; close: () => void };

/** Asks which item the store lacks, unless there is only one, and then what it hands over instead. */
export function MissingDialog(props: Omit<Props, 'index'>) {
  const { order, close } = props;
  const [index, setIndex] = useState(order.items.length === 1 ? 0 : undefined);
  if (index !== undefined) return <ItemDialog {...props} index={index} />;
  return (
    <Dialog title={missing.which} close={close}>
      <div class="choices">
        {order.items.map(({ fulfilled_quantity: quantity, ordered_name: name }, at) => (
          <Button key={at} onPress={() => setIndex(at)}>
            {quantity}× {name}
          </Button>
        ))}
      </div>
      <div class="buttons">
        <Button onPress={close}>{words.frame.back}</Button>
      </div>
    </Dialog>
  );
}

/** Adjusts an unavailable item: fewer units, none, or a substitute. */
function ItemDialog({ desk, order, index, steps, close }: Props) {
  const item = order.items[index];
  const [quantity, setQuantity] = useState(Math.max(0, (item?.fulfilled_quantity ?? 0) - 1));
  const [substitute, setSubstitute] = useState<Choice | undefined>(item && presentSubstitute(item));
  if (!item) return null;
  const { ordered_name: name, ordered_quantity: ordered, fulfilled_quantity: handedOver } = item;
  const step = `items/${index}`;
  const isLast = quantity === 0 && order.items.every((one, at) => at === index || one.fulfilled_quantity === 0);
  const isSame = quantity === handedOver && substitute?.id === presentSubstitute(item)?.id;
  const isBusy = steps.busy === step;
  const refusals = {
    transition_not_allowed: missing.refused,
    product_unavailable: missing.unavailable({ name: substitute?.name ?? name }),
  };

  function choose(choice: Choice | undefined): void {
    setSubstitute(choice);
    if (choice) setQuantity(Math.max(1, handedOver));
    else setQuantity(Math.max(0, handedOver - 1));
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (isSame || isBusy) return;
    const body = quantity > 0 && substitute ? { quantity, substitute_product_id: substitute.id } : { quantity };
    if (await steps.take(step, body, refusals)) close();
  }

  return (
    <Dialog title={missing.title({ name })} close={close}>
      <form onSubmit={save}>
        <Units quantity={quantity} ordered={ordered} set={setQuantity} name={substitute?.name ?? name} />
        <SubstituteField desk={desk} item={item} chosen={substitute} choose={choose} />
        <p class="hint">{isLast ? missing.lastItem : missing.refund}</p>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>{missing.keep}</Button>
          <Button kind={isLast ? 'danger' : 'primary'} submit isOff={isSame} isBusy={isBusy}>
            {isBusy ? words.frame.saving : isLast ? missing.cancelOrder : missing.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The substitute that the store already hands over. */
function presentSubstitute({ substituted_for, product_id: id, name }: StoreOrder['items'][number]): Choice | undefined {
  return substituted_for === null ? undefined : { id, name };
}

type UnitsProps = { quantity: number; ordered: number; name: string; set: (quantity: number) => void };

function Units({ quantity, ordered, name, set }: UnitsProps) {
  return (
    <fieldset class="stepper" aria-label={missing.units({ name })}>
      <Button label={missing.fewer} isOff={quantity <= 0} onPress={() => set(quantity - 1)}>
        −
      </Button>
      <p role="status">
        <strong>{missing.of({ quantity, ordered })}</strong> <span>{quantity === 0 ? missing.noneLeft : name}</span>
      </p>
      <Button label={missing.more} isOff={quantity >= ordered} onPress={() => set(quantity + 1)}>
        +
      </Button>
      {ordered > 2 && quantity > 0 && <Button onPress={() => set(0)}>{missing.none}</Button>}
    </fieldset>
  );
}

/** Maximum products listed per search; more words narrow it down. */
const MAX_LISTED_PRODUCTS = 6;

/** A product by its token, or by its feed id. */
type Choice = { id: string; name: string };

type SubstituteProps = {
  desk: Desk;
  item: StoreOrder['items'][number];
  chosen: Choice | undefined;
  choose: (choice: Choice | undefined) => void;
};

/** The choice of a substitute, by the customer's preference. */
function SubstituteField({ desk, item, chosen, choose }: SubstituteProps) {
  const { preference } = item.substitution;
  if (preference === 'refund') return <p class="wish">{missing.refundOnly}</p>;
  const named = item.named_substitutes.map(({ product_id: id, name }) => ({ id, name }));
  return (
    <fieldset>
      <legend>{preference === 'specific' ? missing.oneOfThese : missing.yourChoice}</legend>
      {preference === 'specific' ? (
        <Choices choices={named} chosen={chosen} choose={choose} />
      ) : (
        <AnyProduct desk={desk} item={item} chosen={chosen} choose={choose} />
      )}
    </fieldset>
  );
}

/** Finds any product of the store by name. Not available with a one-order link. */
function AnyProduct({ desk, item, chosen, choose }: SubstituteProps) {
  const [query, setQuery] = useState('');
  if (desk.context.isLinked) return <p class="hint">{missing.inConsole}</p>;
  return (
    <>
      <label class="field">
        {missing.find}
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

function Found({ desk, query, item, chosen, choose }: SubstituteProps & { query: string }) {
  const { products, isLoading, error } = useProducts(desk, query, false);
  const found = products
    .filter((product) => isOffered(product, item.ordered_name))
    .slice(0, MAX_LISTED_PRODUCTS)
    .map(({ external_id: id, name }) => ({ id, name }));
  const isListed = found.some(({ id }) => id === chosen?.id);
  return (
    <div aria-busy={isLoading}>
      <Choices choices={chosen && !isListed ? [chosen, ...found] : found} chosen={chosen} choose={choose} />
      {found.length === 0 && !isLoading && !error && <p class="hint">{missing.noMatch}</p>}
      <Alert text={error} />
    </div>
  );
}

function isOffered({ name, available, qty_available: left }: Product, orderedName: string): boolean {
  return available && left !== 0 && name !== orderedName;
}

type ChoicesProps = { choices: readonly Choice[]; chosen: Choice | undefined; choose: SubstituteProps['choose'] };

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
          {choice?.name ?? missing.noSubstitute}
        </label>
      ))}
    </div>
  );
}
