import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { createBell } from '../bell.ts';
import { useTitle } from '../blinking-title.ts';
import { Button } from '../button.tsx';
import { keep, readStored } from '../console/local-storage.ts';
import { listen } from '../listen.ts';
import { startPage } from '../start-page.ts';
import { AccountsView, AccountView } from './accounts.tsx';
import { ActionsView } from './actions.tsx';
import { AlertsView } from './alerts.tsx';
import { addressOf, type Me, post } from './api.ts';
import { HealthView } from './health.tsx';
import { useLoad, useNow } from './hooks.ts';
import { ImportsView, ImportView } from './imports.tsx';
import { type Live, useLive } from './live.ts';
import { OperatorsView } from './operators.tsx';
import { OrderView } from './order.tsx';
import { OrdersView } from './orders.tsx';
import { PluginsView } from './plugins.tsx';
import { PromotionsView } from './promotions.tsx';
import { RoleContext } from './role.tsx';
import { StatementsView, StatementView, TaxesView, TipsView } from './statements.tsx';
import { StoreView } from './store.tsx';
import { EditStoreView, NewStoreView } from './store-form.tsx';
import { MergesView, StoresView } from './stores.tsx';
import { TrendsView } from './trends.tsx';
import { isRinging, WaitingView } from './waiting.tsx';
import { durationInWords } from './words.ts';

/** How soon an open view follows a changed role. */
const ROLE_INTERVAL_MS = 10_000;
const TITLE = 'Operator · Doorstep';
const TABS = [
  ['waiting', 'Waiting'],
  ['alerts', 'Alerts'],
  ['orders', 'Orders'],
  ['trends', 'Trends'],
  ['stores', 'Stores'],
  ['statements', 'Statements'],
  ['promotions', 'Promotions'],
  ['accounts', 'Accounts'],
  ['imports', 'Imports'],
  ['plugins', 'Plug-ins'],
  ['health', 'Health'],
  ['changes', 'Changes'],
  ['operators', 'Operators'],
] as const;

/** Parses `#/orders/ID?q=x`. */
function placeOf(hash: string) {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [tab = '', id, part] = path.split('/');
  const shown = id ? decodeURIComponent(id) : undefined;
  return { tab: tab || 'waiting', id: shown, isEdit: part === 'edit', query: new URLSearchParams(query) };
}

function usePlace() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    // The URL may have changed since the first rendering.
    follow();
    return listen(window, 'hashchange', follow);
  }, []);
  return placeOf(hash);
}

function App() {
  const live = useLive();
  const me = useLoad('GET /operator/me', {}, ROLE_INTERVAL_MS).data;
  const role = me?.role ?? 'viewer';
  const now = useNow();
  const place = usePlace();
  const ringing = (live.waiting?.orders ?? []).filter((order) => isRinging(order, now + live.aheadS)).length;
  const sound = useSound(ringing > 0);
  useTitle(TITLE, ringing > 0 ? `(${ringing}) UNCONFIRMED` : undefined);
  return (
    <RoleContext.Provider value={role}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Top tab={place.tab} ringing={ringing} live={live} sound={sound} now={now} me={me} />
      <main id="main" tabIndex={-1} data-view={place.id === undefined ? place.tab : `${place.tab}/${place.id}`}>
        <View place={place} live={live} />
      </main>
    </RoleContext.Provider>
  );
}

type Place = ReturnType<typeof placeOf>;

/** Tabs whose query is all that they depend on. */
const QUERIED = new Map(
  Object.entries({
    promotions: PromotionsView,
    taxes: TaxesView,
    tips: TipsView,
    trends: TrendsView,
    merges: MergesView,
    changes: ActionsView,
  }),
);

function View({ place: { tab, id, isEdit, query }, live }: { place: Place; live: Live }) {
  const Queried = QUERIED.get(tab);
  if (Queried) return <Queried query={query} />;
  if (tab === 'orders') return id === undefined ? <OrdersView query={query} /> : <OrderView key={id} id={id} />;
  if (tab === 'stores') return <StoresTab id={id} isEdit={isEdit} query={query} />;
  if (tab === 'statements') {
    return id === undefined ? <StatementsView query={query} /> : <StatementView key={id} id={id} query={query} />;
  }
  if (tab === 'accounts') return id === undefined ? <AccountsView query={query} /> : <AccountView key={id} id={id} />;
  if (tab === 'imports') return id === undefined ? <ImportsView query={query} /> : <ImportView key={id} id={id} />;
  if (tab === 'alerts') return <AlertsView />;
  if (tab === 'health') return <HealthView />;
  if (tab === 'plugins') return <PluginsView />;
  if (tab === 'operators') return <OperatorsView />;
  return <WaitingView live={live} />;
}

function StoresTab({ id, isEdit, query }: Pick<Place, 'id' | 'isEdit' | 'query'>) {
  if (id === undefined) return <StoresView query={query} />;
  if (id === 'new') return <NewStoreView />;
  return isEdit ? <EditStoreView key={id} id={id} /> : <StoreView key={id} id={id} />;
}

type TopProps = { tab: string; ringing: number; live: Live; sound: Sound; now: number; me: Me | undefined };

function Top({ tab, ringing, live, sound, now, me }: TopProps) {
  useEffect(
    () => document.querySelector('nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }),
    [tab],
  );
  return (
    <header class={ringing > 0 ? 'top rings' : 'top'}>
      <p class="site-name">
        Doorstep <span>operator</span>
      </p>
      <nav aria-label="Views">
        {TABS.filter(([name]) => name !== 'operators' || me?.role === 'admin').map(([name, words]) => (
          <a key={name} href={`#/${name}`} {...(name === tab ? { 'aria-current': 'page' as const } : {})}>
            {words}
            {name === 'waiting' && ringing > 0 && <b class="count">{ringing}</b>}
          </a>
        ))}
      </nav>
      <p class="link-state" role="status">
        {live.lostSince === undefined ? (
          <span class="good-text">● live</span>
        ) : (
          <span class="bad-text">● no connection for {durationInWords(now - live.lostSince)}</span>
        )}
      </p>
      <SoundButton sound={sound} />
      {me && (
        <p class="me">
          {me.name}, {me.role}
        </p>
      )}
      <Button
        onPress={() => void post('/console/sign-out').finally(() => location.assign(addressOf('/console')))}
        text="Sign out"
      />
    </header>
  );
}

const SOUND_WORDS = { on: 'Sound on', off: 'Sound off', blocked: 'Turn on sound' };

function SoundButton({ sound }: { sound: Sound }) {
  return (
    <button
      type="button"
      class={sound.state === 'on' ? '' : 'warn'}
      aria-pressed={sound.state !== 'off'}
      onClick={() => sound.state !== 'blocked' && sound.toggle()}
    >
      {SOUND_WORDS[sound.state]}
    </button>
  );
}

const BELL = { notesHz: [880, 1175, 880], everyMs: 3000 };

/** `off`: switched off on this page. `blocked`: the browser plays no sound before a click. */
type SoundState = 'on' | 'off' | 'blocked';

type Sound = { state: SoundState; toggle(): void };

/** Rings while `isRinging`. A browser allows sound after the first click or key press on the page. */
function useSound(isRinging: boolean): Sound {
  const bell = useMemo(() => createBell(BELL), []);
  const [isMuted, setMuted] = useState(() => readStored('muted', false));
  const [isAllowed, setAllowed] = useState(bell.isAllowed);
  useEffect(() => bell.subscribe(() => setAllowed(bell.isAllowed())), []);
  useEffect(() => {
    bell.ring(isRinging && !isMuted);
    return () => bell.ring(false);
  }, [isRinging, isMuted, isAllowed]);
  return {
    state: isMuted ? 'off' : isAllowed ? 'on' : 'blocked',
    toggle() {
      keep('muted', !isMuted);
      setMuted(!isMuted);
    },
  };
}

startPage((root) => {
  root.replaceChildren();
  render(<App />, root);
});
