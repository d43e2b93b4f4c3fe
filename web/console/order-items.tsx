import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { ItemDialog } from './item-dialog.tsx';
import type { Desk, Steps } from './use-step.ts';

type Item = StoreOrder['items'][number];
type Option = { name: string; quantity: number; options: readonly unknown[] };

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value;

type Props = { desk: Desk; order: StoreOrder; steps: Steps };

/** What is to be made: options stand under their item, options of options farther in. */
export function OrderItems({ desk, order, steps }: Props) {
  const [changed, setChanged] = useState<number | undefined>();
  // An item changes for as long as the order can be canceled: until it has left the store.
  const canChange = order.steps.includes('cancel');
  return (
    <>
      <ul class="items">
        {order.items.map((item, index) => (
          <li key={index}>
            <Line item={item} change={canChange ? () => setChanged(index) : undefined} />
            {item.fulfilled_quantity > 0 && <Details item={item} />}
          </li>
        ))}
      </ul>
      {changed !== undefined && (
        <ItemDialog {...{ desk, order, steps }} index={changed} close={() => setChanged(undefined)} />
      )}
    </>
  );
}

function Line({ item, change }: { item: Item; change: (() => void) | undefined }) {
  const { fulfilled_quantity: quantity, ordered_quantity: ordered, name, ordered_name: orderedName } = item;
  const isMissing = quantity === 0;
  return (
    <div class="item">
      <span class={quantity > 1 ? 'quantity many' : 'quantity'}>{quantity}×</span>
      <p>
        {isMissing ? <s>{name}</s> : name}
        {quantity < ordered && <em class="lacks">{isMissing ? `missing, ${ordered} ordered` : `of ${ordered}`}</em>}
        {item.substituted_for !== null && <em class="lacks">instead of {orderedName}</em>}
      </p>
      {change && (
        <button type="button" class="button quiet change" onClick={change}>
          Missing / fewer…<span class="unseen"> {orderedName}</span>
        </button>
      )}
    </div>
  );
}

function Details({ item }: { item: Item }) {
  return (
    <>
      <Options options={item.options} />
      <Allergens label="Allergens" words={item.allergens} />
      <Allergens label="May contain" words={item.may_contain} />
      {item.notes && <p class="note">{item.notes}</p>}
      <Wish item={item} />
    </>
  );
}

/** What the customer wants if the item is missing; nothing where that is the money back. */
function Wish({ item }: { item: Item }) {
  const { substitution, named_substitutes: named, substituted_for: replaced } = item;
  if (substitution.preference === 'refund' || replaced !== null) return null;
  const words =
    substitution.preference === 'specific' ? named.map(({ name }) => name).join(' or ') : 'something of your choice';
  return <p class="wish">If missing: {words}</p>;
}

/** Unknown and none look alike: no line says that an item is free of anything. */
function Allergens({ label, words }: { label: string; words: readonly string[] | null }) {
  if (!words || words.length === 0) return null;
  return (
    <p class="allergens">
      <strong>{label}:</strong> {words.map((word) => word.replaceAll('_', ' ')).join(', ')}
    </p>
  );
}

function Options({ options }: { options: readonly unknown[] }) {
  if (options.length === 0) return null;
  return (
    <ul class="options">
      {options.filter(isOption).map((option, index) => (
        <li key={index}>
          {option.quantity > 1 && <strong>{option.quantity}× </strong>}
          {option.name}
          <Options options={option.options} />
        </li>
      ))}
    </ul>
  );
}
