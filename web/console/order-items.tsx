import type { StoreOrder } from '../../src/offers/present-store-order.ts';

type Item = StoreOrder['items'][number];
type Option = { name: string; quantity: number; options: readonly unknown[] };

const isOption = (value: unknown): value is Option =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value;

/** What is to be made: options stand under their item, options of options farther in. */
export function OrderItems({ items }: { items: readonly Item[] }) {
  return (
    <ul class="items">
      {items.map((item, index) => (
        <li key={index}>
          <p class="item">
            <span class={item.quantity > 1 ? 'quantity many' : 'quantity'}>{item.quantity}×</span>
            <span>{item.name}</span>
          </p>
          <Options options={item.options} />
          {item.notes && <p class="note">{item.notes}</p>}
        </li>
      ))}
    </ul>
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
