import { useEffect, useState } from 'preact/hooks';
import type { Order } from '../../clients/typescript/src/api-types.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { returnFromCheckout } from './cart-review.tsx';
import { DEVICE_ZONE, type KeptOrder, keepOrder, readOrders } from './device.ts';
import { type Shop, useShop } from './shop-context.ts';

/* Orders of this device, each with its status and link. */

const { orders: say, frame } = words;
/** Orders that are read from the service; older ones are listed as they were kept. */
const MAX_READ = 8;
/** An order under way is read again after so long. */
const READ_MS = 30_000;

/**
 * The orders of this device. After the checkout, an order's key is in the fragment, which no server sees; once
 * it is placed, the page continues to its status.
 */
export function OrdersView() {
  const shop = useShop();
  const [kept, setKept] = useState<readonly KeptOrder[] | undefined>();
  useEffect(() => {
    const placedId = returnFromCheckout();
    const orders = takeFragment(shop.boot.nowEpochS);
    const placed = orders.find(({ orderId }) => orderId === placedId);
    const show = () => setKept(orders);
    if (placed === undefined) show();
    else readOrder(shop, placed).then((order) => (order ? location.replace(order.tracking_link) : show()), show);
  }, []);
  return (
    <main id="main" tabIndex={-1}>
      <h1>{say.title}</h1>
      {kept === undefined ? (
        <p class="hint">{frame.loading}</p>
      ) : kept.length === 0 ? (
        <p>
          {say.none} <a href={shop.pathOf('/')}>{frame.home}</a>
        </p>
      ) : (
        <>
          <p class="hint">{say.kept}</p>
          <ul class="orders">
            {kept.map((order, nth) => (
              <OrderRow key={order.orderId} kept={order} isRead={nth < MAX_READ} />
            ))}
          </ul>
        </>
      )}
    </main>
  );
}

const ignore = () => {};

/** Keeps the order of the fragment, and takes the key off the address. */
function takeFragment(nowEpochS: number): readonly KeptOrder[] {
  const given = new URLSearchParams(location.hash.slice(1));
  const [orderId, key] = [given.get('order') ?? '', given.get('key') ?? ''];
  if (orderId === '' || key === '') return readOrders();
  history.replaceState(null, '', location.pathname + location.search);
  const known = readOrders().find((order) => order.orderId === orderId);
  return keepOrder({ storeId: '', storeName: '', savedAtEpochS: nowEpochS, ...known, orderId, key });
}

function OrderRow({ kept, isRead }: { kept: KeptOrder; isRead: boolean }) {
  const shop = useShop();
  const [order, setOrder] = useState<Order | undefined>();
  /** Whether the links stand: none comes before another that a finger is about to press. */
  const [isSettled, setSettled] = useState(!isRead);
  const isOpen = order?.status === 'awaiting_confirmation' || order?.status === 'in_progress';
  const read = () => readOrder(shop, kept).then((now) => now && setOrder(now), ignore);
  useEffect(() => {
    if (isRead) read().finally(() => setSettled(true));
  }, []);
  useEffect(() => {
    const timer = isOpen ? window.setInterval(() => document.visibilityState === 'visible' && read(), READ_MS) : 0;
    return () => window.clearInterval(timer);
  }, [isOpen]);
  const format = shop.formatFor(order?.user_country ?? 'US');
  const store = { _id: order?.final_quote.store_id ?? kept.storeId, name: order?.final_quote.store ?? kept.storeName };
  const at = { epochMilliseconds: (order?.timestamp ?? kept.savedAtEpochS) * 1000 };
  const zone = order ? ([order.time_zone, DEVICE_ZONE] as const) : DEVICE_ZONE;
  return (
    <li class="card order">
      <h2>{say.from({ store: store.name, moment: format.moment(at, zone) })}</h2>
      {order && (
        <p>
          <b>{say.status[stepOf(order)]}</b>
          <br />
          {say.total({ total: format.money(order.total_with_tip) })}
        </p>
      )}
      <p class="actions">
        {order && <a href={order.checkout_url ?? order.tracking_link}>{followText(order)}</a>}
        {isSettled && store._id !== '' && <a href={`${shop.pathOfStore(store)}#again=${kept.orderId}`}>{say.again}</a>}
      </p>
    </li>
  );
}

function followText({ checkout_url: checkoutUrl, status }: Order): string {
  if (checkoutUrl) return say.finish;
  return status === 'completed' || status === 'canceled' ? say.view : say.follow;
}

async function readOrder({ api }: Shop, { orderId, key }: KeptOrder): Promise<Order | undefined> {
  return (await api.orders.list({ order_id: orderId, order_key: key }).first()).orders[0];
}

function stepOf({ status, is_ready: isReady, pickup, tracking }: Order): keyof typeof say.status {
  if (status === 'completed') return 'delivered';
  if (status === 'awaiting_confirmation') return 'placed';
  if (status !== 'in_progress') return status;
  if (pickup) return isReady ? 'ready' : 'confirmed';
  return tracking.driver_latitude === undefined ? 'confirmed' : 'on_its_way';
}
