import { useState } from 'preact/hooks';
import { isOnItsWay, laneOf } from '../../src/console/order-board.ts';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Alert } from './notices.tsx';
import { OrderActions } from './order-actions.tsx';
import { type DialogName, OrderDialog } from './order-dialog.tsx';
import { OrderItems } from './order-items.tsx';
import { OrderMenu } from './order-menu.tsx';
import { dueOf, modeInWords, money, phoneInWords, reasonInWords, windowOf } from './order-words.ts';
import { type Desk, useSteps } from './use-step.ts';

type Props = { desk: Desk; order: StoreOrder; nowEpochS: number; isRinging?: boolean };

/** One order, as the kitchen works on it. */
export function OrderCard({ desk, order, nowEpochS, isRinging = false }: Props) {
  const steps = useSteps(desk, order);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<DialogName | undefined>();
  const { clock } = desk.context;
  const due = dueOf(order, clock, nowEpochS);
  const lane = order.status === 'canceled' ? 'canceled' : laneOf(order);
  const scheduled = windowOf(order, clock, nowEpochS);
  return (
    <article class={`order ${lane}${isRinging ? ' ringing' : ''}`} aria-labelledby={`n-${order.order_id}`}>
      <header>
        <h3 id={`n-${order.order_id}`} class="number">
          <span class="unseen">Order </span>
          {order.order_number}
        </h3>
        <p class={`due ${due.mood}`}>
          <strong>{due.large}</strong> <span>{due.small}</span>
        </p>
        <button type="button" class="button toggle" aria-expanded={isMenuOpen} onClick={() => setMenuOpen(!isMenuOpen)}>
          <span aria-hidden="true">⋯</span>
          <span class="unseen">More for order {order.order_number}</span>
        </button>
      </header>
      <p class="who">
        <span class={`mode ${order.pickup ? 'pickup' : 'delivery'}`}>{modeInWords(order)}</span>
        <span class="name">{order.user_name || 'No name'}</span>
        <span class="total">{money(order.store_part.total + order.driver_tip_cents)}</span>
      </p>
      {isMenuOpen && <OrderMenu desk={desk} order={order} open={setDialog} />}
      {scheduled && <p class="window">For {scheduled}</p>}
      {order.status === 'canceled' && <p class="why">Canceled: {reasonInWords(order.cancel_reason ?? '')}.</p>}
      <OrderItems order={order} />
      <CustomerNotes order={order} />
      <DriverLine order={order} />
      <Alert text={steps.error} />
      <OrderActions desk={desk} order={order} steps={steps} nowEpochS={nowEpochS} open={setDialog} />
      <OrderDialog desk={desk} order={order} steps={steps} name={dialog} close={() => setDialog(undefined)} />
    </article>
  );
}

function CustomerNotes({ order }: { order: StoreOrder }) {
  const notes = order.pickup ? order.user_pickup_notes : order.user_dropoff_notes;
  const street = [order.user_street_name, order.user_apt_num && `Apt ${order.user_apt_num}`].filter(Boolean).join(', ');
  const house = order.user_street_name.startsWith(order.user_street_num) ? '' : `${order.user_street_num} `;
  return (
    <>
      {!order.pickup && street && (
        <p class="address">
          To {house}
          {street}
        </p>
      )}
      {notes && <p class="note">{notes}</p>}
    </>
  );
}

function DriverLine({ order }: { order: StoreOrder }) {
  const { driver_name: name, driver_phone: phone, vehicle_type: vehicle } = order.tracking;
  if (!name || order.status !== 'in_progress') return null;
  return (
    <p class="driver">
      <span>
        {isOnItsWay(order) ? 'On the way with ' : 'Driver: '}
        <strong>{name}</strong>
        {vehicle && `, ${vehicle}`}
      </span>
      {phone !== undefined && (
        <a href={`tel:+${phone}`}>
          <span class="unseen">Call the driver {name}: </span>
          {phoneInWords(phone)}
        </a>
      )}
    </p>
  );
}
