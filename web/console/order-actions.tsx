import { useEffect, useRef, useState } from 'preact/hooks';
import { laneOf } from '../../src/console/order-lane.ts';
import { lengthInWords, quotedMinutes, readyEpochS, steppedMinutes } from '../../src/console/preparation.ts';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Button } from './button.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { DriverDialog } from './driver-dialog.tsx';
import { phoneInWords } from './order-words.ts';
import { PrintDialog } from './print-dialog.tsx';
import type { Desk, Steps } from './use-step.ts';

type DialogName = 'cancel' | 'driver' | 'print';
type Props = { desk: Desk; order: StoreOrder; steps: Steps; nowEpochS: number };

/** What can be done with an order now: one main step, and what is needed less often behind a button. */
export function OrderActions({ desk, order, steps, nowEpochS }: Props) {
  const [dialog, setDialog] = useState<DialogName | undefined>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setDialog(undefined);
  const isDone = laneOf(order) === 'done';
  const isNew = order.status === 'awaiting_confirmation';
  return (
    <div class={isDone ? 'actions few' : 'actions'}>
      {isNew && <Preparation {...{ desk, order, steps, nowEpochS }} />}
      {!isNew && !isDone && <NextStep order={order} steps={steps} openDriver={() => setDialog('driver')} />}
      <button type="button" class="button toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">⋯</span>
        <span class="unseen">More for order {order.order_number}</span>
      </button>
      {isOpen && <More {...{ desk, order }} open={setDialog} />}
      {dialog === 'cancel' && <CancelDialog order={order} steps={steps} close={close} />}
      {dialog === 'print' && <PrintDialog desk={desk} order={order} close={close} />}
      {dialog === 'driver' && <DriverDialog order={order} steps={steps} close={close} />}
    </div>
  );
}

type MoreProps = { desk: Desk; order: StoreOrder; open: (dialog: DialogName) => void };

/** What is needed now and then. */
function More({ desk, order, open }: MoreProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  const isAssigned = order.driver_link !== null && order.steps.includes('pick_up');
  const canDrive = isAssigned || (order.steps.includes('assign_driver') && mainStepOf(order) !== 'assign_driver');
  return (
    <div class="more" ref={element}>
      {order.user_phone !== undefined && (
        <a class="button quiet" href={`tel:+${order.user_phone}`}>
          Call {phoneInWords(order.user_phone)}
        </a>
      )}
      <Button kind="quiet" onPress={() => open('print')}>
        Print…
      </Button>
      {canDrive && (
        <Button kind="quiet" onPress={() => open('driver')}>
          {isAssigned ? 'Another driver' : 'Assign a driver'}
        </Button>
      )}
      {order.driver_link !== null && order.status === 'in_progress' && <DriverLink desk={desk} order={order} />}
      {order.steps.includes('cancel') && (
        <Button kind="quiet" onPress={() => open('cancel')}>
          Cancel the order
        </Button>
      )}
    </div>
  );
}

/** Confirmation with a time of preparation: the quoted time, or other minutes in steps of five. */
function Preparation({ desk, order, steps, nowEpochS }: Props) {
  const [chosen, setChosen] = useState<number | undefined>();
  const minutes = chosen ?? quotedMinutes(order, nowEpochS);
  const { clock } = desk.place;

  async function confirm(): Promise<void> {
    const askedEpochS = readyEpochS(order, minutes, desk.place.now());
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
      <Button kind="primary" isBusy={steps.busy === 'confirm'} onPress={confirm}>
        {steps.busy === 'confirm' ? 'Confirming…' : 'Confirm'}
        <span class="unseen"> order {order.order_number}</span>
      </Button>
    </>
  );
}

/** The step that an order most likely takes next. */
function mainStepOf(order: StoreOrder): 'ready' | 'assign_driver' | 'pick_up' | 'complete' | undefined {
  const can = (step: StoreOrder['steps'][number]) => order.steps.includes(step);
  if (can('ready')) return 'ready';
  if (can('complete')) return 'complete';
  if (can('pick_up')) return 'pick_up';
  return can('assign_driver') ? 'assign_driver' : undefined;
}

const MAIN = {
  ready: { words: 'Ready', working: 'Saving…' },
  assign_driver: { words: 'Assign a driver', working: '' },
  pick_up: { words: 'Picked up by the driver', working: 'Saving…' },
  complete: { words: 'Handed over', working: 'Saving…' },
} as const;

function NextStep({ order, steps, openDriver }: { order: StoreOrder; steps: Steps; openDriver: () => void }) {
  const step = mainStepOf(order);
  if (step === undefined) return null;
  const isBusy = steps.busy === step;
  const words = step === 'complete' && !order.pickup ? 'Delivered' : MAIN[step].words;
  return (
    <Button
      kind="primary"
      isBusy={isBusy}
      onPress={() => (step === 'assign_driver' ? openDriver() : void steps.take(step))}
    >
      {isBusy ? MAIN[step].working : words}
      <span class="unseen"> order {order.order_number}</span>
    </Button>
  );
}

function DriverLink({ desk, order }: { desk: Desk; order: StoreOrder }) {
  const link = order.driver_link ?? '';
  const { driver_phone: phone } = order.tracking;
  async function copy(): Promise<void> {
    const isCopied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    );
    desk.tell(isCopied ? "The driver's link is copied." : `The driver's link: ${link}`);
  }
  return (
    <>
      {phone !== undefined && (
        <a class="button quiet" href={`sms:+${phone}?body=${encodeURIComponent(link)}`}>
          Text the link
        </a>
      )}
      <Button kind="quiet" onPress={copy}>
        Copy driver’s link
      </Button>
    </>
  );
}
