import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import { DatesPanel } from './dates-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { forgetKept } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { PausePanel } from './pause-panel.tsx';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

type Session = { session_id: string; device: string; created_at: string; seen_at: string; is_this: boolean };

/** The store itself, and the tablets that are signed in to it. */
export function StoreView({ desk, store }: { desk: Desk; store: StoreDesk }) {
  return (
    <div class="page">
      <div class="view-head">
        <h1>Store</h1>
        <SignOut desk={desk} />
      </div>
      {desk.context.sandbox === undefined ? (
        <>
          <PausePanel context={desk.context} store={store} />
          <Channels desk={desk} />
          <Delivering store={store} />
          <HoursPanel store={store} tell={desk.tell} />
          <DatesPanel context={desk.context} store={store} tell={desk.tell} />
          <Sessions desk={desk} />
        </>
      ) : (
        <section class="panel">
          <h2>Sandbox</h2>
          <p class="hint">
            This console shows the sandbox orders of {desk.context.sandbox}. It cannot change the store: products, hours
            and pauses belong to the store’s own console.
          </p>
        </section>
      )}
    </div>
  );
}

const PARTY_WORDS: Readonly<Record<string, string>> = {
  first: 'The store itself',
  third: 'A marketplace',
  courier: 'A courier',
};

/** Who delivers, and where: as the store's feed has it. */
function Delivering({ store: { settings } }: { store: StoreDesk }) {
  const parties = settings?.delivery_parties ?? [];
  if (parties.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="delivering">
      <h2 id="delivering">Who delivers</h2>
      <ul class="rows">
        {parties.map(({ party, accepting, reach }) => (
          <li>
            <p>
              <strong>{PARTY_WORDS[party] ?? party}</strong>
              <span class="soft">{reach}</span>
            </p>
            {!accepting && <p class="state failing">Not now</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SignOut({ desk: { context, tell } }: { desk: Desk }) {
  const [isBusy, setBusy] = useState(false);
  async function signOut(): Promise<void> {
    setBusy(true);
    try {
      await context.api.send('POST', '/console/sign-out');
      forgetKept();
      location.replace(context.home);
    } catch (error) {
      setBusy(false);
      tell(messageOf(error));
    }
  }
  return (
    <Button isBusy={isBusy} onPress={signOut}>
      {isBusy ? 'Signing out…' : 'Sign out'}
    </Button>
  );
}

function Sessions({ desk: { context } }: { desk: Desk }) {
  const [sessions, setSessions] = useState<readonly Session[] | undefined>();
  const [error, setError] = useState('');
  const [busy, setBusy] = useState('');

  async function read(): Promise<void> {
    try {
      setSessions((await context.api.get<{ sessions: Session[] }>('/store/sessions')).sessions);
    } catch (failure) {
      setError(messageOf(failure));
    }
  }

  async function revoke(id: string): Promise<void> {
    setBusy(id);
    setError('');
    try {
      await context.api.send('POST', `/store/sessions/${encodeURIComponent(id)}/revoke`);
      await read();
    } catch (failure) {
      setError(messageOf(failure));
    }
    setBusy('');
  }

  useEffect(() => void read(), []);
  return (
    <section class="panel" aria-labelledby="tablets">
      <h2 id="tablets">Signed-in tablets</h2>
      <p class="hint">Sign out a tablet that is lost. A new tablet needs an access code of its own.</p>
      <Alert text={error} />
      <ul class="rows">
        {sessions?.map(({ session_id: id, device, seen_at, is_this }) => (
          <li key={id}>
            <p>
              <strong>{deviceInWords(device)}</strong>
              <span class="soft">
                {is_this ? 'this tablet' : `last used ${context.clock.moment(Date.parse(seen_at) / 1000)}`}
              </span>
            </p>
            {!is_this && (
              <Button label={`Sign out ${deviceInWords(device)}`} isBusy={busy === id} onPress={() => revoke(id)}>
                {busy === id ? 'Signing out…' : 'Sign out'}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Channel = {
  channel: string;
  state: 'working' | 'failing';
  failing_since: string | null;
  last_error: string | null;
};
const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  console: 'The console',
  email: 'Email',
  sms: 'Text messages',
  webhook: 'Point of sale',
  printer: 'Printer',
  operator: 'The operator',
};

/** How the store gets its orders, and what of it does not work. */
function Channels({ desk: { context } }: { desk: Desk }) {
  const [channels, setChannels] = useState<readonly Channel[]>([]);
  useEffect(() => {
    const read = () =>
      void context.api.get<{ channels: Channel[] }>('/store/channels').then(
        (answer) => setChannels(answer.channels),
        () => {},
      );
    read();
    const timer = window.setInterval(read, 30_000);
    return () => window.clearInterval(timer);
  }, []);
  if (channels.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="channels">
      <h2 id="channels">Where orders arrive</h2>
      <ul class="rows">
        {channels.map(({ channel, state, failing_since: since, last_error: error }) => (
          <li key={channel}>
            <p>
              <strong>{CHANNEL_WORDS[channel] ?? channel}</strong>
              {since !== null && (
                <span class="soft">
                  since {context.clock.moment(Date.parse(since) / 1000)}
                  {error && `: ${error}`}
                </span>
              )}
            </p>
            <p class={`state ${state}`}>{state === 'working' ? 'Working' : 'Not working'}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The system and the browser that a device says it is. */
function deviceInWords(device: string): string {
  const system = /iPad|iPhone|Android|Windows|Mac OS|CrOS|Linux/.exec(device)?.[0] ?? 'Unknown device';
  const browser = /Edg|Firefox|Chrome|Safari/.exec(device)?.[0]?.replace('Edg', 'Edge');
  return [system.replace('Mac OS', 'Mac').replace('CrOS', 'Chromebook'), browser].filter(Boolean).join(', ');
}
