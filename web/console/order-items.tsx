import { type OptionLine, type OrderOption, optionLines } from '../../src/console/order-board.ts';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';

type Item = StoreOrder['items'][number];

const isOption = (value: unknown): value is OrderOption =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value;

/** What is to be made: options stand under their item, options of options farther in. */
export function OrderItems({ order }: { order: StoreOrder }) {
  return (
    <ul class="items">
      {order.items.map((item, index) => (
        <li key={index}>
          <Line item={item} />
          {item.fulfilled_quantity > 0 && <Details item={item} />}
        </li>
      ))}
    </ul>
  );
}

function Line({ item }: { item: Item }) {
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
    </div>
  );
}

function Details({ item }: { item: Item }) {
  return (
    <>
      <Options options={item.options} />
      {item.notes && <p class="note">{item.notes}</p>}
      <Allergens label="Allergens" words={item.allergens} />
      <Allergens label="May contain" words={item.may_contain} />
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
      {label}: {words.map((word) => word.replaceAll('_', ' ')).join(', ')}
    </p>
  );
}

function Options({ options }: { options: readonly unknown[] }) {
  if (options.length === 0) return null;
  return (
    <ul class="options">
      {optionLines(options.filter(isOption)).map((line, index) => (
        <OptionRow key={index} line={line} />
      ))}
    </ul>
  );
}

function OptionRow({ line: { customization, options } }: { line: OptionLine }) {
  return (
    <li>
      {customization && <span class="soft">{customization}: </span>}
      {options.map(({ quantity, name }) => (quantity > 1 ? `${quantity}× ${name}` : name)).join(', ')}
      {options.map((option, index) => (
        <Options key={index} options={option.options} />
      ))}
    </li>
  );
}
