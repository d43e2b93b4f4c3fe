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
          <Allergens label="Allergens" words={item.allergens} />
          <Allergens label="May contain" words={item.may_contain} />
          {item.notes && <p class="note">{item.notes}</p>}
        </li>
      ))}
    </ul>
  );
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
