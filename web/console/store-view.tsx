import { useEffect, useState } from 'preact/hooks';
import { LANGUAGE_NAMES, LANGUAGES } from '../../src/platform/languages/language.ts';
import type { ConsoleSession } from '../../src/surfaces/store-console/sessions.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import type { ConsoleContext } from './console-context.ts';
import { DatesPanel } from './dates-panel.tsx';
import { useRun } from './hooks.ts';
import { HoursPanel } from './hours-panel.tsx';
import { KitchenPanel } from './kitchen-panel.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { clearStored } from './local-storage.ts';
import { MinutesPanel } from './minutes-panel.tsx';
import { Alert } from './notices.tsx';
import { PausePanel } from './pause-panel.tsx';
import { type Photo, PhotoField } from './photo-field.tsx';
import { StaffPanel } from './staff-panel.tsx';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

/* Settings of a store: hours, pauses, confirmation, contact, printer and signed-in devices. */

const { settings: say } = words;

/** The store's settings, and the tablets that are signed in to it. */
export function StoreView({ desk, store }: { desk: Desk; store: StoreDesk }) {
  return (
    <div class="page">
      <div class="view-head">
        <h1>{say.title}</h1>
        <LanguageChoice context={desk.context} />
        <SignOut desk={desk} />
      </div>
      {desk.context.sandbox === undefined ? (
        <>
          <PausePanel context={desk.context} store={store} />
          <KitchenPanel desk={desk} store={store} />
          <MinutesPanel desk={desk} store={store} />
          <Channels desk={desk} />
          <DeliveryPanel context={desk.context} store={store} />
          <HoursPanel context={desk.context} store={store} tell={desk.tell} />
          <DatesPanel context={desk.context} store={store} tell={desk.tell} />
          <StorePhotos desk={desk} store={store} />
          <ShopPages store={store} />
          <StoreLanguage desk={desk} store={store} />
          {desk.context.staff === undefined && (
            <>
              <StaffPanel desk={desk} />
              <Sessions desk={desk} />
            </>
          )}
        </>
      ) : (
        <section class="panel">
          <h2>{words.frame.sandbox}</h2>
          <p class="hint">{say.sandbox({ account: desk.context.sandbox })}</p>
        </section>
      )}
    </div>
  );
}

const PARTY_WORDS: Readonly<Record<string, string>> = say.parties;

/** Who delivers and where, as the store's feed states it. */
function DeliveryPanel({ context, store: { settings } }: { context: ConsoleContext; store: StoreDesk }) {
  const parties = settings?.delivery_parties ?? [];
  if (parties.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="delivering">
      <h2 id="delivering">{say.whoDelivers}</h2>
      <ul class="rows">
        {parties.map(({ party, accepting, zones, radius_miles }) => (
          <li>
            <p>
              <strong>{PARTY_WORDS[party] ?? party}</strong>
              <span class="soft">{reachInWords(context, zones, radius_miles)}</span>
            </p>
            {!accepting && <p class="state failing">{say.notAccepting}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function reachInWords({ format }: ConsoleContext, zones: number, radiusMiles: number | null): string {
  if (zones > 1) return say.inZones({ count: zones });
  return radiusMiles === null ? say.inArea : say.within({ distance: format.distance(radiusMiles) });
}

/** The first logo and the first photo of the store, saved as they are chosen. */
function StorePhotos({ desk, store: { settings, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  const [uploading, setUploading] = useState('');
  if (!settings) return null;
  async function save(kind: 'logo' | 'store', photo: Photo | null): Promise<void> {
    const first = photo ? [photo.url] : [];
    const isSaved = await change('photos', 'PUT', '/store/photos', ({ photos }) => ({
      [kind]: [...first, ...photos[kind].slice(1)],
    }));
    if (isSaved) desk.tell(say.photosSaved);
  }
  return (
    <section class="panel photo-fields" aria-labelledby="store-photos">
      <h2 id="store-photos">{say.photos}</h2>
      <p class="hint">{say.photosHint}</p>
      {(['logo', 'store'] as const).map((kind) => {
        const [url] = settings.photos[kind];
        return (
          <PhotoField
            key={kind}
            context={desk.context}
            title={say.photo[kind]}
            alt={say.photo[kind]}
            photo={url === undefined ? null : { url, thumbnail: url }}
            set={(photo) => void save(kind, photo)}
            isBusy={uploading === kind}
            setBusy={(isBusy) => setUploading(isBusy ? kind : '')}
          />
        );
      })}
      <Alert text={errorOf('photos')} />
    </section>
  );
}

/** The store's pages in shops, with a code to print for tables and windows. */
function ShopPages({ store: { settings } }: { store: StoreDesk }) {
  const pages = settings?.shop_pages ?? [];
  if (pages.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="shop-pages">
      <h2 id="shop-pages">{say.shopPages}</h2>
      <p class="hint">{say.shopPagesHint}</p>
      <ul class="rows">
        {pages.map((url) => (
          <li key={url}>
            <a href={url}>{new URL(url).host}</a>{' '}
            <a href={`${url}/code.svg`} target="_blank" rel="noreferrer">
              {say.shopCode}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The language of tickets, emails and SMS. */
function StoreLanguage({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  if (!settings) return null;
  async function choose(language: string): Promise<void> {
    if (await change('language', 'PUT', '/store/language', { language })) desk.tell(say.languageSaved);
  }
  return (
    <section class="panel" aria-labelledby="store-language">
      <h2 id="store-language">{say.language}</h2>
      <p class="hint">{say.languageHint}</p>
      <select
        aria-labelledby="store-language"
        aria-busy={busy === 'language'}
        value={settings.language}
        onChange={({ currentTarget }) => void choose(currentTarget.value)}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGE_NAMES[each]}
          </option>
        ))}
      </select>
      <Alert text={errorOf('language')} />
    </section>
  );
}

function SignOut({ desk: { context, tell } }: { desk: Desk }) {
  const [isBusy, setBusy] = useState(false);
  async function signOut(): Promise<void> {
    setBusy(true);
    try {
      await context.api.send('POST', '/console/sign-out');
      clearStored();
      location.replace(context.home);
    } catch (error) {
      setBusy(false);
      tell(messageOf(error));
    }
  }
  return (
    <Button isBusy={isBusy} onPress={signOut}>
      {isBusy ? say.signingOut : say.signOut}
    </Button>
  );
}

function Sessions({ desk: { context } }: { desk: Desk }) {
  const [sessions, setSessions] = useState<readonly ConsoleSession[] | undefined>();
  const { busy, error, run } = useRun();
  const read = async () =>
    setSessions((await context.api.get<{ sessions: ConsoleSession[] }>('/store/sessions')).sessions);
  const revoke = (id: string) =>
    run(id, async () => {
      await context.api.send('POST', `/store/sessions/${encodeURIComponent(id)}/revoke`);
      await read();
    });

  useEffect(() => void run('', read), []);
  return (
    <section class="panel" aria-labelledby="tablets">
      <h2 id="tablets">{say.tablets}</h2>
      <p class="hint">{say.tabletsHint}</p>
      <Alert text={error} />
      <ul class="rows">
        {sessions?.map(({ session_id: id, name, device, seen_at, is_this }) => (
          <li key={id}>
            <p>
              <strong>{deviceInWords(device)}</strong>
              <span class="soft">
                {name !== null && `${name} · `}
                {is_this ? say.thisTablet : say.lastUsed({ moment: momentOf(context, seen_at) })}
              </span>
            </p>
            {!is_this && (
              <Button
                label={say.signOutOf({ device: deviceInWords(device) })}
                isBusy={busy === id}
                onPress={() => revoke(id)}
              >
                {busy === id ? say.signingOut : say.signOut}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

type Channel = {
  /** `printer:NAME` of a printer among several. */
  channel: string;
  state: 'working' | 'failing';
  failing_since: string | null;
};

const kindOfChannel = (channel: string) => (channel.split(':')[0] ?? '') as keyof typeof say.channel;

function nameOfChannel(channel: string): string {
  const [, station] = channel.split(':');
  return [say.channel[kindOfChannel(channel)], ...(station === undefined ? [] : [station])].join(' · ');
}

/** A moment from an answer, in the store's time zone. */
const momentOf = ({ clock, now }: ConsoleContext, moment: string) => clock.moment(Date.parse(moment) / 1000, now());

/** How the store receives its orders, and which channels fail. */
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
      <h2 id="channels">{say.channels}</h2>
      <ul class="rows">
        {channels.map(({ channel, state, failing_since: since }) => (
          <li key={channel}>
            <p>
              <strong>{nameOfChannel(channel)}</strong>
              {since !== null && (
                <span class="soft">
                  {say.downSince({ moment: momentOf(context, since) })} {say.whatToDo[kindOfChannel(channel)]}
                </span>
              )}
            </p>
            <p class={`state ${state}`}>{state === 'working' ? say.working : say.notWorking}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The operating system and browser that a device reports. */
function deviceInWords(device: string): string {
  const system = /iPad|iPhone|Android|Windows|Mac OS|CrOS|Linux/.exec(device)?.[0] ?? say.unknownDevice;
  const browser = /Edg|Firefox|Chrome|Safari/.exec(device)?.[0]?.replace('Edg', 'Edge');
  return [system.replace('Mac OS', 'Mac').replace('CrOS', 'Chromebook'), browser].filter(Boolean).join(', ');
}
