import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Lane, sortedLane } from '../../src/console/order-lane.ts';
import { createBell } from './bell.ts';
import { useHash, useNow, useWatched } from './hooks.ts';
import { Icon } from './icons.tsx';
import { createLiveOrders } from './live-orders.ts';
import { Notices, useNotices } from './notices.tsx';
import { OrdersView } from './orders-view.tsx';
import { PauseBar } from './pause-panel.tsx';
import type { Place } from './place.ts';
import { ProductsView } from './products-view.tsx';
import { useRinging } from './ringing.ts';
import { ConnectionBar, RingBar, SandboxBar, SoundBar } from './status-bars.tsx';
import { StoreView } from './store-view.tsx';
import { TodayView } from './today-view.tsx';
import { useUpkeep } from './upkeep.ts';
import type { Desk } from './use-step.ts';
import { useStore } from './use-store.ts';
import { keepAwake } from './wake-lock.ts';

const VIEWS = [
  { id: 'orders', words: 'Orders' },
  { id: 'products', words: 'Products' },
  { id: 'today', words: 'Today' },
  { id: 'store', words: 'Store' },
] as const;
/** A console of the sandbox cannot change what the store sells. */
const consoleViews = ({ sandbox }: Place) => VIEWS.filter(({ id }) => sandbox === undefined || id !== 'products');

/** The console of a signed-in store. */
export function App({ place }: { place: Place }) {
  const live = useMemo(() => createLiveOrders(place), []);
  const bell = useMemo(createBell, []);
  const snapshot = useWatched(live.subscribe, live.now);
  const isSoundAllowed = useWatched(bell.subscribe, bell.isAllowed);
  const { notices, tell, close } = useNotices();
  const store = useStore(place);
  const nowEpochS = useNow(place.now, 1000);
  const { ringing, acknowledge } = useRinging(place, bell, snapshot);
  const views = useMemo(() => consoleViews(place), []);
  const view = useHash(views.map(({ id }) => id));
  const [lane, setLane] = useState<Lane>('new');
  const desk: Desk = { place, live, tell };
  const newCount = sortedLane(snapshot.orders.values(), 'new').length;

  useEffect(() => live.start(), []);
  useEffect(keepAwake, []);
  useEffect(() => {
    if (snapshot.isRefused) location.reload();
  }, [snapshot.isRefused]);
  useEffect(() => document.getElementById('main')?.scrollTo(0, 0), [view, lane]);
  useUpkeep(place, () => ringing.length === 0 && newCount === 0 && document.querySelector('dialog') === null);
  useHeldFocus();

  function showRinging(): void {
    acknowledge();
    setLane('new');
    location.hash = 'orders';
  }

  return (
    <div class="console">
      <a class="skip" href="#main">
        Skip to the {view}
      </a>
      <header class="store">
        <p>{place.storeName}</p>
      </header>
      <nav aria-label="Console">
        {views.map(({ id, words }) => (
          <a key={id} href={`#${id}`} aria-current={view === id ? 'page' : undefined}>
            <Icon name={id} />
            <span>{words}</span>
            {id === 'orders' && newCount > 0 && (
              <span class="badge">
                {newCount}
                <span class="unseen"> new</span>
              </span>
            )}
          </a>
        ))}
        <p class={`pulse ${snapshot.connection}`}>
          {{ live: 'Live', connecting: 'Connecting', looking: 'Slow', lost: 'Offline' }[snapshot.connection]}
        </p>
      </nav>
      <div class="stage">
        <SandboxBar sandbox={place.sandbox} />
        <ConnectionBar connection={snapshot.connection} />
        <SoundBar isAllowed={isSoundAllowed} />
        <RingBar ringing={ringing} isHeard={isSoundAllowed} acknowledge={showRinging} />
        {place.sandbox === undefined && <PauseBar place={place} store={store} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a view without controls scrolls, by the keyboard too */}
        <main id="main" tabIndex={0}>
          {view === 'orders' && (
            <OrdersView
              {...{ desk, snapshot, nowEpochS, lane, setLane }}
              ringing={new Set(ringing.map(({ order_id }) => order_id))}
            />
          )}
          {view === 'products' && <ProductsView desk={desk} />}
          {view === 'today' && <TodayView desk={desk} snapshot={snapshot} />}
          {view === 'store' && <StoreView desk={desk} store={store} />}
        </main>
        <Notices notices={notices} close={close} />
      </div>
    </div>
  );
}

/** An order that moves takes its button away: the keyboard goes on from the orders, not from the top of the page. */
function useHeldFocus(): void {
  useEffect(() => {
    let wasInside = false;
    const main = document.getElementById('main');
    const note = ({ target }: FocusEvent) => {
      wasInside = target instanceof Node && main?.contains(target) === true;
    };
    const observer = new MutationObserver(() => {
      if (!wasInside || document.activeElement !== document.body) return;
      main?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', note);
    if (main) observer.observe(main, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, []);
}
