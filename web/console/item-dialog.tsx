import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import { type Choice, SubstituteField } from './substitute-field.tsx';
import type { Desk, Steps } from './use-step.ts';

type Props = { desk: Desk; order: StoreOrder; index: number; steps: Steps; close: () => void };

/** Asks which item the store lacks, unless there is only one, and then what it hands over instead. */
export function MissingDialog(props: Omit<Props, 'index'>) {
  const { order, close } = props;
  const [index, setIndex] = useState(order.items.length === 1 ? 0 : undefined);
  if (index !== undefined) return <ItemDialog {...props} index={index} />;
  return (
    <Dialog title="Which item is missing?" close={close}>
      <div class="choices">
        {order.items.map(({ fulfilled_quantity: quantity, ordered_name: name }, at) => (
          <Button key={at} onPress={() => setIndex(at)}>
            {quantity}× {name}
          </Button>
        ))}
      </div>
      <div class="buttons">
        <Button onPress={close}>Back</Button>
      </div>
    </Dialog>
  );
}

/** Says what the store hands over of an item that it lacks: fewer units, none, or a substitute. */
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

  function choose(choice: Choice | undefined): void {
    setSubstitute(choice);
    if (choice) setQuantity(Math.max(1, handedOver));
    else setQuantity(Math.max(0, handedOver - 1));
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    if (isSame || isBusy) return;
    const body = quantity > 0 && substitute ? { quantity, substitute_product_id: substitute.id } : { quantity };
    if (await steps.take(step, body)) close();
  }

  return (
    <Dialog title={`${name}: what do you hand over?`} close={close}>
      <form onSubmit={save}>
        <Units quantity={quantity} ordered={ordered} set={setQuantity} name={substitute?.name ?? name} />
        <SubstituteField desk={desk} item={item} chosen={substitute} choose={choose} />
        <p class="hint">
          {isLast
            ? 'Nothing is left of the order then: it is canceled, and the customer gets everything back.'
            : 'What it costs less is given back to the customer at once. It cannot be charged again.'}
        </p>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>Keep it as it is</Button>
          <Button kind={isLast ? 'danger' : 'primary'} submit isOff={isSame} isBusy={isBusy}>
            {isBusy ? 'Saving…' : isLast ? 'Cancel the order' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The substitute that the store hands over already. */
function presentSubstitute({ substituted_for, product_id: id, name }: StoreOrder['items'][number]): Choice | undefined {
  return substituted_for === null ? undefined : { id, name };
}

type UnitsProps = { quantity: number; ordered: number; name: string; set: (quantity: number) => void };

function Units({ quantity, ordered, name, set }: UnitsProps) {
  return (
    <fieldset class="stepper" aria-label={`Units of ${name}`}>
      <Button label="One fewer" isOff={quantity <= 0} onPress={() => set(quantity - 1)}>
        −
      </Button>
      <p role="status">
        <strong>
          {quantity} of {ordered}
        </strong>{' '}
        <span>{quantity === 0 ? 'nothing of it' : name}</span>
      </p>
      <Button label="One more" isOff={quantity >= ordered} onPress={() => set(quantity + 1)}>
        +
      </Button>
      {ordered > 2 && quantity > 0 && <Button onPress={() => set(0)}>None</Button>}
    </fieldset>
  );
}
