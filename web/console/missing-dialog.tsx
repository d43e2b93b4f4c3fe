import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Field, Radios } from '../field.tsx';
import { Alert } from './notices.tsx';
import { FormDialog } from './panel.tsx';
import { useProducts } from './use-products.ts';
import type { Desk, DialogProps } from './use-step.ts';
import { amountText } from './weigh-dialog.tsx';

/* An item that the store lacks: which one, how many units, and the substitute. */

const { missing } = words;

type Item = StoreOrder['items'][number];

/** Asks which item the store lacks, unless there is only one, and then the substitute. */
export function MissingDialog(props: DialogProps) {
  const { order, close } = props;
  const [index, setIndex] = useState(order.items.length === 1 ? 0 : undefined);
  if (index !== undefined) return <ItemDialog {...props} index={index} />;
  return (
    <Dialog title={missing.which} close={close}>
      <div class="choices">
        {order.items.map((item, at) => (
          <Button
            key={at}
            onPress={() => setIndex(at)}
            text={`${amountText(item, props.desk.context.format)} ${item.ordered_name}`}
          />
        ))}
      </div>
      <div class="buttons">
        <Button onPress={close} text={words.frame.back} />
      </div>
    </Dialog>
  );
}

/** Adjusts an unavailable item: fewer units, none, or a substitute. */
function ItemDialog({ desk, order, index, steps, close }: DialogProps & { index: number }) {
  const item = order.items[index];
  const [quantity, setQuantity] = useState(item ? Math.max(0, unitsOf(item, item.fulfilled_quantity) - 1) : 0);
  const [substitute, setSubstitute] = useState<Choice | undefined>(item && presentSubstitute(item));
  if (!item) return null;
  const { ordered_name: name } = item;
  const [ordered, handedOver] = [unitsOf(item, item.ordered_quantity), unitsOf(item, item.fulfilled_quantity)];
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
    setQuantity(choice ? Math.max(1, handedOver) : Math.max(0, handedOver - 1));
  }

  async function save(): Promise<void> {
    if (isSame || isBusy) return;
    const body = quantity > 0 && substitute ? { quantity, substitute_product_id: substitute.id } : { quantity };
    if (await steps.take(step, body, refusals)) close();
  }

  return (
    <FormDialog
      title={missing.title({ name })}
      back={missing.keep}
      close={close}
      submit={save}
      error={steps.error}
      kind={isLast ? 'main danger' : 'main'}
      isOff={isSame}
      isBusy={isBusy}
      text={isBusy ? words.frame.saving : isLast ? missing.cancelOrder : missing.save}
    >
      <Units quantity={quantity} ordered={ordered} set={setQuantity} name={substitute?.name ?? name} />
      <SubstituteField desk={desk} item={item} chosen={substitute} choose={choose} />
      <p class="hint">{isLast ? missing.lastItem : missing.refund}</p>
    </FormDialog>
  );
}

/** A line of goods by weight is missing or not. */
const unitsOf = ({ unit }: Item, quantity: number): number =>
  unit === undefined ? quantity : Math.min(1, Math.ceil(quantity));

/** The substitute that the store already hands off. */
function presentSubstitute({ substituted_for, product_id: id, name }: Item): Choice | undefined {
  return substituted_for === null ? undefined : { id, name };
}

type UnitsProps = { quantity: number; ordered: number; name: string; set: (quantity: number) => void };

function Units({ quantity, ordered, name, set }: UnitsProps) {
  return (
    <fieldset class="dial" aria-label={missing.units({ name })}>
      <Button label={missing.fewer} isOff={quantity <= 0} onPress={() => set(quantity - 1)} text="−" />
      <p role="status">
        <strong>{missing.of({ quantity, ordered })}</strong> <span>{quantity === 0 ? missing.noneLeft : name}</span>
      </p>
      <Button label={missing.more} isOff={quantity >= ordered} onPress={() => set(quantity + 1)} text="+" />
      {ordered > 2 && quantity > 0 && <Button onPress={() => set(0)} text={missing.none} />}
    </fieldset>
  );
}

/** Maximum products listed per search; more words narrow it down. */
const MAX_LISTED_PRODUCTS = 6;

/** A product by its token, or by its feed id. */
type Choice = { id: string; name: string };

type SubstituteProps = {
  desk: Desk;
  item: Item;
  chosen: Choice | undefined;
  choose: (choice: Choice | undefined) => void;
};

/** The choice of a substitute, by the customer's preference. */
function SubstituteField(props: SubstituteProps) {
  const { preference } = props.item.substitution;
  if (preference === 'refund') return <p class="wish">{missing.refundOnly}</p>;
  const named = props.item.named_substitutes.map(({ product_id: id, name }) => ({ id, name }));
  return (
    <fieldset>
      <legend>{preference === 'specific' ? missing.oneOfThese : missing.yourChoice}</legend>
      {preference === 'specific' ? (
        <Choices choices={named} {...props} />
      ) : props.desk.context.isLinked ? (
        <p class="hint">{missing.inConsole}</p>
      ) : (
        <AnyProduct {...props} />
      )}
    </fieldset>
  );
}

/** Finds any product of the store by name. Not available with a one-order link. */
function AnyProduct({ desk, item, chosen, choose }: SubstituteProps) {
  const [query, setQuery] = useState('');
  const { products, isLoading, error } = useProducts(desk, query, false);
  const found = products
    .filter(({ available, qty_available: left, name }) => available && left !== 0 && name !== item.ordered_name)
    .slice(0, MAX_LISTED_PRODUCTS)
    .map(({ external_id: id, name }) => ({ id, name }));
  const isListed = found.some(({ id }) => id === chosen?.id);
  return (
    <>
      <Field
        label={missing.find}
        type="search"
        value={query}
        autocomplete="off"
        enterkeyhint="search"
        set={setQuery}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div aria-busy={isLoading}>
        <Choices choices={chosen && !isListed ? [chosen, ...found] : found} chosen={chosen} choose={choose} />
        {found.length === 0 && !isLoading && !error && <p class="hint">{missing.noMatch}</p>}
        <Alert text={error} />
      </div>
    </>
  );
}

type ChoicesProps = Pick<SubstituteProps, 'chosen' | 'choose'> & { choices: readonly Choice[] };

function Choices({ choices, chosen, choose }: ChoicesProps) {
  return (
    <Radios
      name="substitute"
      value={chosen?.id ?? ''}
      set={(id) => choose(choices.find((one) => one.id === id))}
      options={[['', missing.noSubstitute], ...choices.map(({ id, name }) => [id, name] as const)]}
    />
  );
}
