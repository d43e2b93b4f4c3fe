import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { goodsCents, milliOfDecimal, readMilli, typedWeight } from '../../src/supply/pricing/weight.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import { FormDialog } from './panel.tsx';
import type { DialogProps } from './use-step.ts';

/*
 * Weighing an order's goods: with the keypad, or with a scanner, which types the digits of a scale's label and Enter.
 */

const { weigh } = words;

type Item = StoreOrder['items'][number];

export const isByWeight = ({ unit }: Item): boolean => unit !== undefined;

/** Whether goods of an order are still to be weighed. */
export const isOpen = ({ items }: StoreOrder): boolean => items.some(isItemOpen);

const isItemOpen = (item: Item): boolean => isByWeight(item) && item.final_price === null;

/** `1.62 lb` of goods by weight, `2×` of others. */
export const amountText = (item: Item, format: Format): string =>
  item.unit && item.fulfilled_quantity > 0
    ? format.weight(item.fulfilled_quantity, item.unit)
    : `${item.fulfilled_quantity}×`;

/** A typed number of so many digits is a label. */
const LABEL = /^\d{8,20}$/;

export function WeighDialog({ desk, order, steps, close }: DialogProps) {
  const [index, setIndex] = useState(Math.max(0, order.items.findIndex(isItemOpen)));
  const [typed, setTyped] = useState('');
  const item = order.items[index];
  const step = `items/${index}`;
  const isBusy = steps.busy === step;
  if (!item?.unit) return null;
  const { format } = desk.context;
  const weight = typedWeight(typed);
  const milli = readMilli(weight);
  const isAbove = milli !== undefined && !LABEL.test(typed) && milli > milliOfDecimal(item.max_quantity ?? 0);
  const isFarBelow = milli !== undefined && !LABEL.test(typed) && milli * 2 < milliOfDecimal(item.ordered_quantity);
  const doubt = isAbove ? weigh.atLimit : isFarBelow && milli > 0 ? weigh.accept : weigh.save;

  function choose(at: number): void {
    setIndex(at);
    setTyped('');
  }

  async function save(): Promise<void> {
    if (isBusy || typed === '') return;
    const weighed = { weight, ...(isAbove ? { at_limit: true } : {}), ...(isFarBelow ? { accept: true } : {}) };
    const refusals = {
      label_mismatch: weigh.mismatch,
      label_price_unknown: weigh.noPrice,
      weight_above_limit: weigh.above,
      weight_below_half: weigh.below,
      invalid_request: weigh.unread,
    };
    const taken = await steps.take(step, LABEL.test(typed) ? { label: typed } : weighed, refusals);
    if (!taken) return;
    const next = taken.items.findIndex(isItemOpen);
    if (next < 0) close();
    else choose(next);
  }

  return (
    <FormDialog
      title={weigh.title({ name: item.name })}
      close={close}
      submit={save}
      error={steps.error}
      isOff={typed === ''}
      isBusy={isBusy}
      text={isBusy ? words.frame.saving : doubt}
    >
      <Lines order={order} index={index} format={format} choose={choose} />
      <Range item={item} format={format} milli={milli} isAbove={isAbove} />
      <Field
        label={weigh.label({ unit: item.unit })}
        value={typed}
        inputmode="decimal"
        maxLength={20}
        autocomplete="off"
        set={(value) => setTyped(value.trim())}
      />
      <Keypad typed={typed} decimalSign={format.decimalSign} set={setTyped} />
    </FormDialog>
  );
}

type LinesProps = { order: StoreOrder; index: number; format: Format; choose: (index: number) => void };

/** The order's items sold by weight; weighed ones have a check mark. */
function Lines({ order, index, format, choose }: LinesProps) {
  if (order.items.filter(isByWeight).length < 2) return null;
  return (
    <div class="press-row">
      {order.items.map(
        (item, at) =>
          isByWeight(item) && (
            <Button
              key={at}
              kind={at === index ? 'main' : undefined}
              onPress={() => choose(at)}
              text={`${isItemOpen(item) ? '' : '✓ '}${amountText(item, format)} ${item.name}`}
            />
          ),
      )}
    </div>
  );
}

type RangeProps = { item: Item; format: Format; milli: number | undefined; isAbove: boolean };

/** The ordered weight, the maximum charge, and the price of the typed weight. */
function Range({ item, format, milli = 0, isAbove }: RangeProps) {
  const {
    unit = 'lb',
    ordered_quantity: ordered,
    max_quantity: most = 0,
    price_per: per = 1,
    unit_price: price,
  } = item;
  const limit = format.weight(most, unit);
  const cents = goodsCents(price, Math.min(milli, milliOfDecimal(most)), milliOfDecimal(per));
  return (
    <p class="hint" role="status">
      {weigh.range({ ordered: format.weight(ordered, unit), limit })}{' '}
      <strong>{isAbove ? weigh.onlyLimit({ limit, price: format.money(cents) }) : format.money(cents)}</strong>
    </p>
  );
}

type KeypadProps = { typed: string; decimalSign: string; set: (typed: string) => void };

function Keypad({ typed, decimalSign, set }: KeypadProps) {
  return (
    <div class="keypad">
      {[...'1234567890', decimalSign].map((key) => (
        <Button key={key} onPress={() => set(`${typed}${key}`.slice(0, 20))} text={key} />
      ))}
      <Button label={weigh.erase} onPress={() => set(typed.slice(0, -1))} text="⌫" />
    </div>
  );
}
