import { useState } from 'preact/hooks';
import { laneOf, lengthInWords, quotedMinutes, readyEpochS, steppedMinutes } from '../../src/console/order-board.ts';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Button } from './button.tsx';
import type { DialogName } from './order-dialog.tsx';
import { mainStepOf } from './order-words.ts';
import type { Desk, Steps } from './use-step.ts';

type OpenDialog = (dialog: DialogName) => void;
type Props = { desk: Desk; order: StoreOrder; steps: Steps; nowEpochS: number; open: OpenDialog };

/** The next action of an order: confirm or decline it, or take its next step. */
export function OrderActions(props: Props) {
  if (laneOf(props.order) === 'done') return null;
  return (
    <div class="actions">
      {props.order.status === 'awaiting_confirmation' ? <Answer {...props} /> : <NextStep {...props} />}
    </div>
  );
}

/** A confirmation has a time of preparation: the quoted time, or other minutes in steps of five. */
function Answer({ desk, order, steps, nowEpochS, open }: Props) {
  const [chosen, setChosen] = useState<number | undefined>();
  const minutes = chosen ?? quotedMinutes(order, nowEpochS);
  const { clock } = desk.context;

  async function confirm(): Promise<void> {
    const askedEpochS = readyEpochS(order, minutes, desk.context.now());
    const taken = await steps.take('confirm', { preparation_minutes: minutes });
    if (!taken?.ready_by || Math.abs(taken.ready_by - askedEpochS) < 60) return;
    desk.tell(`Order ${order.order_number} was confirmed before, to be ready by ${clock.time(taken.ready_by)}.`);
  }

  return (
    <>
      <fieldset class="stepper" aria-label="Time of preparation">
        <Button label="5 minutes less" isOff={minutes <= 5} onPress={() => setChosen(steppedMinutes(minutes, -1))}>
          −5
        </Button>
        <p>
          <strong>{lengthInWords(minutes)}</strong>{' '}
          <span>ready {clock.time(readyEpochS(order, minutes, nowEpochS))}</span>
        </p>
        <Button label="5 minutes more" onPress={() => setChosen(steppedMinutes(minutes, 1))}>
          +5
        </Button>
      </fieldset>
      <Button onPress={() => open('cancel')}>
        Decline<span class="unseen"> order {order.order_number}</span>
      </Button>
      <Button kind="primary" isBusy={steps.busy === 'confirm'} onPress={confirm}>
        {steps.busy === 'confirm' ? 'Confirming…' : 'Confirm'}
        <span class="unseen"> order {order.order_number}</span>
      </Button>
    </>
  );
}

const MAIN = {
  ready: { words: 'Ready', working: 'Saving…' },
  assign_driver: { words: 'Assign a driver', working: '' },
  pick_up: { words: 'Picked up by the driver', working: 'Saving…' },
  complete: { words: 'Handed over', working: 'Saving…' },
} as const;

function NextStep({ order, steps, open }: Props) {
  const step = mainStepOf(order);
  if (step === undefined) return null;
  const isBusy = steps.busy === step;
  const words = step === 'complete' && !order.pickup ? 'Delivered' : MAIN[step].words;
  return (
    <Button
      kind="primary"
      isBusy={isBusy}
      onPress={() => (step === 'assign_driver' ? open('driver') : void steps.take(step))}
    >
      {isBusy ? MAIN[step].working : words}
      <span class="unseen"> order {order.order_number}</span>
    </Button>
  );
}
