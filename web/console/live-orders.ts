import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { listen } from '../listen.ts';
import { statusOf } from '../request.ts';
import type { ConsoleContext } from './console-context.ts';
import { isCurrent } from './order-board.ts';
import { followStream, type OrderStream } from './order-stream.ts';

/** Interval for reading the list besides the stream. */
const POLL_MS = 60_000;
/** Interval for reading the list without a stream. */
const POLL_WITHOUT_STREAM_MS = 10_000;
/** Milliseconds of sleep until the stream counts as lost, even if the browser reports it as open. */
const ASLEEP_MS = 20_000;

/** `looking`: the stream is blocked, but the list can be read. */
export type Connection = 'connecting' | 'live' | 'looking' | 'lost';
export type Snapshot = {
  orders: ReadonlyMap<string, StoreOrder>;
  connection: Connection;
  isLoaded: boolean;
  /** Whether the session or the link has ended. */
  isRefused: boolean;
};

export type LiveOrders = {
  now(): Snapshot;
  subscribe(listener: () => void): () => void;
  /** Shows an order from a response. */
  put(order: StoreOrder): void;
  /** Reads the list again; resolves to false on failure. */
  look(): Promise<boolean>;
  start(): () => void;
};

/** The store's live orders: follows a stream of changes, and reads the list whenever the stream may have missed one. */
export function createLiveOrders(context: ConsoleContext): LiveOrders {
  const { api } = context;
  let state: Snapshot = { orders: new Map(), connection: 'connecting', isLoaded: false, isRefused: false };
  const target = new EventTarget();
  /** Orders that arrived while the list was being read, which may be newer than the list. */
  let arrived = new Map<string, StoreOrder>();
  let reading: Promise<boolean> | undefined;
  let isStale = false;
  let stream: OrderStream | undefined;
  let isStreaming = false;

  const set = (changes: Partial<Snapshot>) => {
    state = { ...state, ...changes };
    target.dispatchEvent(new Event('change'));
  };

  function put(order: StoreOrder): void {
    context.hasPassed(order.timestamp);
    arrived.set(order.order_id, order);
    if (isCurrent(order, state.orders.get(order.order_id))) {
      set({ orders: new Map(state.orders).set(order.order_id, sameOrder(order)) });
    }
  }

  /** One read at a time. A read that is requested meanwhile starts afterwards. */
  function look(): Promise<boolean> {
    if (reading) isStale = true;
    reading ??= readList().finally(() => {
      reading = undefined;
      if (!isStale) return;
      isStale = false;
      void look();
    });
    return reading;
  }

  async function readList(): Promise<boolean> {
    arrived = new Map();
    try {
      const { orders } = await api.get<{ orders: StoreOrder[] }>('/store/orders');
      for (const { timestamp } of orders) context.hasPassed(timestamp);
      const listed = new Map(orders.map((order) => [order.order_id, sameOrder(order)]));
      for (const [id, order] of arrived) if (isCurrent(order, listed.get(id))) listed.set(id, order);
      set({ orders: listed, isLoaded: true, connection: isStreaming ? 'live' : 'looking' });
      return true;
    } catch (error) {
      if (statusOf(error) === 401) set({ isRefused: true });
      else if (!isStreaming || !state.isLoaded) set({ connection: 'lost' });
      return false;
    }
  }

  /** The known order if nothing that the console shows has changed, so that its card is not rendered again. */
  function sameOrder(order: StoreOrder): StoreOrder {
    const known = state.orders.get(order.order_id);
    const shown = (one: StoreOrder) => JSON.stringify({ ...one, received_at: null });
    return known && shown(known) === shown(order) ? known : order;
  }

  function follow(): OrderStream {
    return followStream(`${api.base}/store/orders/stream`, api.headers, {
      open() {
        isStreaming = true;
        set({ connection: state.isLoaded ? 'live' : 'connecting' });
      },
      event(name, data) {
        if (name === 'order') put(JSON.parse(data));
        else if (name === 'resync') void look();
      },
      lost() {
        isStreaming = false;
        set({ connection: 'lost' });
        void look();
      },
      refused: () => set({ isRefused: true }),
    });
  }

  function start(): () => void {
    let hiddenAtMs = 0;
    let lookedAtMs = performance.now();
    stream = follow();
    const gone = () => {
      isStreaming = false;
      set({ connection: 'lost' });
      stream?.restart();
    };
    const shown = () => {
      if (document.hidden) hiddenAtMs = performance.now();
      else if (performance.now() - hiddenAtMs > ASLEEP_MS) stream?.restart();
    };
    const timer = window.setInterval(() => {
      const intervalMs = isStreaming ? POLL_MS : POLL_WITHOUT_STREAM_MS;
      if (state.isRefused || performance.now() - lookedAtMs < intervalMs) return;
      lookedAtMs = performance.now();
      void look();
    }, 1000);
    const ends = [
      listen(window, 'offline', gone),
      listen(window, 'online', () => stream?.restart()),
      listen(document, 'visibilitychange', shown),
    ];
    return () => {
      window.clearInterval(timer);
      for (const end of ends) end();
      stream?.stop();
    };
  }

  return {
    now: () => state,
    subscribe: (listener) => listen(target, 'change', listener),
    put,
    look,
    start,
  };
}
