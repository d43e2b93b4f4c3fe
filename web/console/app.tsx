import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/fulfillment/store-channels/present-store-order.ts';
import { STORE_NEEDS } from '../../src/surfaces/store-console/missing-needs.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { type Bell, createBell } from '../bell.ts';
import { useTitle } from '../blinking-title.ts';
import { Button } from '../button.tsx';
import { LineIcon } from '../line-icon.tsx';
import type { ConsoleContext } from './console-context.ts';
import { useHash, useSubscription } from './hooks.ts';
import { type Connection, createLiveOrders, type Snapshot } from './live-orders.ts';
import { keep, readStored } from './local-storage.ts';
import { MenuView } from './menu-view.tsx';
import { NoticeRow, useNotice } from './notices.tsx';
import { OffersView } from './offers-view.tsx';
import { type BoardView, sortLane } from './order-board.ts';
import { OrdersView } from './orders-view.tsx';
import { PauseBars, PauseButtons } from './pause-panel.tsx';
import { SalesView } from './sales-view.tsx';
import { StatementsView } from './statements-view.tsx';
import { ConnectionBar, RingBar, SandboxBar, SoundBar } from './status-bars.tsx';
import { StoreView } from './store-view.tsx';
import type { Desk } from './use-step.ts';
import { type StoreDesk, useStore } from './use-store.ts';

/* The console's frame: the session, its views, the tabs between them, and the sound of new orders. */

const VIEWS = ['orders', 'new-order', 'menu', 'sales', 'store'] as const;
/** Views without a tab, with the tab that opens them. They are the owner's. */
const OPENED_FROM: Readonly<Record<string, string>> = { statements: 'sales', offers: 'menu' };
/** Views of the console. A sandbox console cannot change the menu; a live one may take no orders. */
const consoleViews = ({ sandbox, takesOrders }: ConsoleContext) =>
  VIEWS.filter((view) => (sandbox === undefined || view !== 'menu') && (takesOrders || view !== 'new-order'));
const ownerViews = ({ sandbox }: ConsoleContext) =>
  Object.keys(OPENED_FROM).filter((view) => sandbox === undefined || view !== 'offers');
const TITLES = { ...words.frame, menu: words.menu.title, 'new-order': words.newOrder.title };

const { live, connecting, slow: looking, offline: lost } = words.frame;
const CONNECTION_WORDS: Readonly<Record<Connection, string>> = { live, connecting, looking, lost };

const BELL = { notesHz: [784, 1047, 1319], everyMs: 2200 };

/** The console of a signed-in store. */
export function App({ context }: { context: ConsoleContext }) {
  const live = useMemo(() => createLiveOrders(context), []);
  const bell = useMemo(() => createBell(BELL), []);
  const snapshot = useSubscription(live.subscribe, live.now);
  const isSoundAllowed = useSubscription(bell.subscribe, bell.isAllowed);
  const { notice, tell, close } = useNotice();
  const { ringing, acknowledge } = useRinging(context, bell, snapshot);
  const views = useMemo(() => consoleViews(context), []);
  const view = useHash(context.staff === undefined ? [...views, ...ownerViews(context)] : views);
  const store = useStore(context, view);
  const menuEntry = OPENED_FROM[view] ?? view;
  const [shown, show] = useState<BoardView>('new');
  const desk = useMemo<Desk>(() => ({ context, live, tell }), []);
  const newCount = sortLane(snapshot.orders.values(), 'new').length;

  useEffect(() => live.start(), []);
  useEffect(keepAwake, []);
  useEffect(() => {
    if (snapshot.isRefused) location.reload();
  }, [snapshot.isRefused]);
  const leadTo = useScroll(view, shown);
  // Other views have forms.
  const isIdle = view === 'orders' && ringing.length === 0 && newCount === 0;
  useAutoReload(context, () => isIdle && document.querySelector('dialog') === null);
  useHeldFocus();

  function showRinging(): void {
    leadTo(ringing[0]?.order_id);
    acknowledge();
    show('new');
    location.hash = 'orders';
  }

  return (
    <div class="console">
      <a class="skip" href="#main">
        {words.frame.skip}
      </a>
      <Top context={context} views={views} open={menuEntry} newCount={newCount} connection={snapshot.connection} />
      <div class="stage">
        <div class="bars">
          <SandboxBar sandbox={context.sandbox} />
          <ConnectionBar connection={snapshot.connection} />
          <SoundBar isAllowed={isSoundAllowed} />
          <RingBar context={context} ringing={ringing} acknowledge={showRinging} />
          {context.sandbox === undefined && <PauseBars context={context} store={store} />}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a view without controls scrolls, by the keyboard too */}
        <main id="main" tabIndex={0}>
          {view === 'orders' && snapshot.orders.size === 0 && <StartPanel context={context} store={store} />}
          {view === 'orders' && (
            <OrdersView
              desk={desk}
              snapshot={snapshot}
              tools={context.sandbox === undefined && <PauseButtons context={context} store={store} />}
              shown={shown}
              show={show}
              ringing={new Set(ringing.map(({ order_id }) => order_id))}
            />
          )}
          {view === 'new-order' && <NewOrder context={context} />}
          {view === 'menu' && <MenuView desk={desk} />}
          {view === 'sales' && <SalesView desk={desk} snapshot={snapshot} />}
          {view === 'statements' && <StatementsView desk={desk} />}
          {view === 'offers' && <OffersView desk={desk} store={store} />}
          {view === 'store' && <StoreView desk={desk} store={store} />}
        </main>
        <NoticeRow notice={notice} close={close} />
      </div>
    </div>
  );
}

type TopProps = {
  context: ConsoleContext;
  views: readonly (typeof VIEWS)[number][];
  open: string;
  newCount: number;
  connection: Connection;
};

function Top({ context, views, open, newCount, connection }: TopProps) {
  return (
    <>
      <header class="store-name">
        <p>{context.storeName}</p>
        {context.staff !== undefined && <p class="soft">{words.staff.signedInAs({ name: context.staff })}</p>}
      </header>
      <nav aria-label={words.frame.menu}>
        {views.map((id) => (
          <Tab key={id} id={id} isOpen={open === id} newCount={id === 'orders' ? newCount : 0} />
        ))}
        <p class={`pulse ${connection}`}>{CONNECTION_WORDS[connection]}</p>
      </nav>
    </>
  );
}

function Tab({ id, isOpen, newCount }: { id: (typeof VIEWS)[number]; isOpen: boolean; newCount: number }) {
  return (
    <a href={`#${id}`} aria-current={isOpen ? 'page' : undefined}>
      <Icon name={id} />
      <span>{TITLES[id]}</span>
      {newCount > 0 && (
        <>
          <span class="count" aria-hidden="true">
            {newCount}
          </span>
          <span class="unseen">{words.frame.newCount({ count: newCount })}</span>
        </>
      )}
    </a>
  );
}

/** The form of an order that the store takes, which is a page of its own. */
function NewOrder({ context }: { context: ConsoleContext }) {
  return (
    <>
      <h1 class="unseen">{words.newOrder.title}</h1>
      <iframe class="new-order" title={words.newOrder.title} src={`${context.base}/console/new-order`} />
    </>
  );
}

/** Shows each view from its top, or from the order that the returned function names. */
function useScroll(view: string, shown: BoardView): (orderId: string | undefined) => void {
  const wanted = useRef<string | undefined>(undefined);
  const [leads, setLeads] = useState(0);
  useEffect(() => {
    const card = wanted.current && document.getElementById(`n-${wanted.current}`)?.closest('article');
    if (!card) return document.getElementById('main')?.scrollTo(0, 0);
    wanted.current = undefined;
    card.focus({ preventScroll: true });
    return card.scrollIntoView();
  }, [view, shown, leads]);
  return (orderId) => {
    wanted.current = orderId;
    setLeads(leads + 1);
  };
}

/** Keeps the focus on the order list when a focused order changes columns; otherwise the page would lose it. */
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

/** Keeps the screen on while the page is visible, if the browser allows it. */
function keepAwake(): void {
  if (!('wakeLock' in navigator)) return;
  // A battery saver or a hidden page denies the wake lock, so it is requested again when the page is shown.
  const ask = () => navigator.wakeLock.request('screen').catch(() => {});
  const shown = () => void (document.hidden || ask());
  document.addEventListener('visibilitychange', shown);
  shown();
}

const PATHS = {
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2V3zM9 8h6M9 12h6',
  'new-order': 'M12 5v14M5 12h14',
  menu: 'M5 4h14v16H5V4zM9 9h6M9 13h6M9 17h3',
  sales: 'M4 20V10M10 20V4M16 20v-8M22 20H2',
  store: 'M4 10v10h16V10M3 10l2-6h14l2 6a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM10 20v-6h4v6',
} as const;

const Icon = ({ name }: { name: keyof typeof PATHS }) => <LineIcon path={PATHS[name]} sizePx={24} stroke={1.8} />;

const RELOAD_EVERY_MS = 30 * 60_000;

/**
 * Reloads the console's page from time to time: renews the session, corrects the clock, and loads a newer version of
 * the console while `isIdle`.
 */
function useAutoReload(context: ConsoleContext, isIdle: () => boolean): void {
  const idle = useRef(isIdle);
  idle.current = isIdle;
  useEffect(() => {
    const timer = window.setInterval(() => void reloadIfNewer(context, () => idle.current()), RELOAD_EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
}

async function reloadIfNewer(context: ConsoleContext, isIdle: () => boolean): Promise<void> {
  const answer = await fetch(context.home, { cache: 'no-store' }).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = Number(page.getElementById('app')?.dataset.now);
  if (now > 0) context.setNow(now);
  const scriptOf = (document: Document) => document.querySelector('script[src]')?.getAttribute('src');
  if (scriptOf(page) !== scriptOf(document) && isIdle()) location.reload();
}

const SEEN = 'seen';
/** Maximum remembered orders, more than the list of a store has. */
const MAX_SEEN = 1000;

/** The new orders that ring on this tablet, and a function that acknowledges them. */
function useRinging(
  context: ConsoleContext,
  bell: Bell,
  { orders }: Snapshot,
): { ringing: readonly StoreOrder[]; acknowledge: () => void } {
  const [seen, setSeen] = useState<readonly string[]>(() => readStored(SEEN, []));
  const ringing = sortLane(orders.values(), 'new').filter(({ order_id }) => !seen.includes(order_id));
  const isRinging = ringing.length > 0;
  useEffect(() => bell.ring(isRinging), [isRinging]);
  const count = ringing.length;
  useTitle(
    `${context.sandbox === undefined ? context.storeName : words.frame.sandboxTitle({ title: context.storeName })} · Doorstep`,
    count > 0 ? words.frame.newOrdersTitle({ count }) : undefined,
  );

  async function acknowledge(): Promise<void> {
    const now = [...seen, ...ringing.map(({ order_id }) => order_id)].slice(-MAX_SEEN);
    setSeen(now);
    keep(SEEN, now);
    for (const { order_id: id } of ringing) {
      // A failure is harmless, because confirming or canceling the order acknowledges it too.
      await context.api.send('POST', `/store/orders/${encodeURIComponent(id)}/acknowledge`).catch(() => {});
    }
  }

  return { ringing, acknowledge };
}

const { start: say } = words;
const VIEW_OF = { menu: '#menu', hours: '#store', photo: '#store', channel: undefined } as const;

/** What an owner has yet to set up, shown while no order is. It ticks itself off, and leaves once all is done. */
function StartPanel({ context, store }: { context: ConsoleContext; store: StoreDesk }) {
  const [isHidden, setHidden] = useState(() => readStored('started', false));
  const missing = store.settings?.missing ?? [];
  const isOwner = context.staff === undefined && context.sandbox === undefined;
  if (!isOwner || isHidden || missing.length === 0) return null;
  function hide(): void {
    keep('started', true);
    setHidden(true);
  }
  return (
    <section class="panel start" aria-labelledby="start">
      <div class="menu-head">
        <h2 id="start">{say.title}</h2>
        <Button kind="quiet" onPress={hide} text={say.hide} />
      </div>
      <ul class="rows">
        {STORE_NEEDS.map((need) => {
          const isDone = !missing.includes(need);
          const view = VIEW_OF[need];
          return (
            <li key={need}>
              <p class={isDone ? 'todo done' : 'todo'}>
                <strong>{say.needs[need]}</strong>
                <span class="soft">{isDone ? say.done : say.hints[need]}</span>
              </p>
              {!isDone && view && (
                <a
                  class="button"
                  href={view}
                  aria-label={words.products.actionFor({ action: say.open, name: say.needs[need] })}
                >
                  {say.open}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
