import { useEffect, useRef } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Button } from './button.tsx';
import type { DialogName } from './order-dialog.tsx';
import { mainStepOf, phoneInWords } from './order-words.ts';
import type { Desk } from './use-step.ts';

type Props = { desk: Desk; order: StoreOrder; open: (dialog: DialogName) => void };

/** Secondary actions. An item can change while the order can be canceled, that is until it leaves the store. */
export function OrderMenu({ desk, order, open }: Props) {
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
        <Button kind="quiet" onPress={() => open('item')}>
          Missing item…
        </Button>
      )}
      {order.steps.includes('cancel') && order.status !== 'awaiting_confirmation' && (
        <Button kind="quiet" onPress={() => open('cancel')}>
          Cancel the order
        </Button>
      )}
    </div>
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
