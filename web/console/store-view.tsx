import { useEffect, useState } from 'preact/hooks';
import { rangeInWords } from '../../src/supply/stores/format-hours.ts';
import { WEEKDAYS } from '../../src/supply/stores/hours.ts';
import type { StoreBrand } from '../../src/surfaces/store-console/brands.route.ts';
import type { ConsoleSession } from '../../src/surfaces/store-console/sessions.route.ts';
import type { StoreMinutes, StoreSettings } from '../../src/surfaces/store-console/store.route.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { type BrandDraft, BrandForm } from '../brand-form.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { BareField, Form } from '../field.tsx';
import { useRead, useRun } from '../use-read.ts';
import type { ConsoleContext } from './console-context.ts';
import { Count } from './fields.tsx';
import { copyLink } from './hooks.ts';
import { DatesPanel, HoursPanel } from './hours-panel.tsx';
import { LanguageChoice, LanguageSelect } from './language-choice.tsx';
import { clearStored } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { FormDialog, Page, Panel, RowText } from './panel.tsx';
import { PausePanel } from './pause-panel.tsx';
import { type Photo, PhotoField } from './photo-field.tsx';
import type { Desk } from './use-step.ts';
import type { StoreDesk } from './use-store.ts';

/* A store's settings: hours, pauses, confirmation, contact, printer and signed-in devices. */

const { settings: say } = words;

/** The store's settings, and the tablets that are signed in to it. */
export function StoreView({ desk, store }: { desk: Desk; store: StoreDesk }) {
  const isOwner = desk.context.staff === undefined;
  return (
    <Page title={say.title} tools={[<LanguageChoice context={desk.context} />, <SignOut desk={desk} />]}>
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
          <ShopPages desk={desk} store={store} />
          {isOwner && <BrandPanel desk={desk} />}
          <StoreLanguage desk={desk} store={store} />
          {isOwner && <StaffPanel desk={desk} />}
          {isOwner && <Sessions desk={desk} />}
        </>
      ) : (
        <section class="panel">
          <h2>{words.frame.sandbox}</h2>
          <p class="hint">{say.sandbox({ account: desk.context.sandbox })}</p>
        </section>
      )}
    </Page>
  );
}

const PARTY_WORDS: Readonly<Record<string, string>> = say.parties;

/** Who delivers and where, as the store's feed states it. */
function DeliveryPanel({ context, store: { settings } }: { context: ConsoleContext; store: StoreDesk }) {
  const parties = settings?.delivery_parties ?? [];
  if (parties.length === 0) return null;
  return (
    <Panel id="delivering" title={say.whoDelivers}>
      <ul class="rows">
        {parties.map(({ party, accepting, zones, radius_miles }) => (
          <li>
            <RowText name={PARTY_WORDS[party] ?? party} more={reachInWords(context, zones, radius_miles)} />
            {!accepting && <p class="state failing">{say.notAccepting}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function reachInWords({ format }: ConsoleContext, zones: number, radiusMiles: number | null): string {
  if (zones > 1) return say.inZones({ count: zones });
  return radiusMiles === null ? say.inArea : say.within({ distance: format.distance(radiusMiles) });
}

/** The store's first logo and first photo, saved as they are chosen. */
function StorePhotos({ desk, store: { settings, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  if (!settings) return null;
  async function save(kind: 'logo' | 'store', photo: Photo | null): Promise<void> {
    const first = photo ? [photo.url] : [];
    const isSaved = await change('photos', 'PUT', '/store/photos', ({ photos }) => ({
      [kind]: [...first, ...photos[kind].slice(1)],
    }));
    if (isSaved) desk.tell(say.photosSaved);
  }
  return (
    <Panel id="store-photos" title={say.photos} hint={say.photosHint} class="photo-fields" error={errorOf('photos')}>
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
          />
        );
      })}
    </Panel>
  );
}

/** The store's pages in shops, with a code to print for tables and windows. */
function ShopPages({ desk, store: { settings } }: { desk: Desk; store: StoreDesk }) {
  const pages = settings?.shop_pages ?? [];
  if (pages.length === 0) return null;
  return (
    <Panel id="shop-pages" title={say.shopPages} hint={say.shopPagesHint}>
      <ul class="rows">
        {pages.map((url) => (
          <li key={url}>
            <a class="action" href={url}>
              {new URL(url).host}
            </a>{' '}
            <a class="action" href={`${url}/code.svg`} target="_blank" rel="noreferrer">
              {say.shopCode}
            </a>{' '}
            <Button onPress={() => copyLink(url, desk.tell)} text={say.shopCopy} />
            {'share' in navigator && (
              <Button onPress={() => navigator.share({ url }).catch(() => undefined)} text={say.shopShare} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The language of tickets, emails and SMS. */
function StoreLanguage({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  if (!settings) return null;
  async function choose(language: string): Promise<void> {
    if (await change('language', 'PUT', '/store/language', { language })) desk.tell(say.languageSaved);
  }
  return (
    <Panel id="store-language" title={say.language} hint={say.languageHint} error={errorOf('language')}>
      <LanguageSelect
        labelledBy="store-language"
        isBusy={busy === 'language'}
        language={settings.language}
        choose={choose}
      />
    </Panel>
  );
}

function SignOut({ desk: { context, tell } }: { desk: Desk }) {
  const { busy, error, run } = useRun();
  const signOut = () =>
    run('out', async () => {
      await context.api.send('POST', '/console/sign-out');
      clearStored();
      location.replace(context.home);
    });
  useEffect(() => void (error && tell(error)), [error]);
  return <Button isBusy={busy !== ''} onPress={signOut} text={busy ? say.signingOut : say.signOut} />;
}

function Sessions({ desk: { context } }: { desk: Desk }) {
  const path = '/store/sessions';
  const { data, error: unread, reload } = useRead(path, () => context.api.get<{ sessions: ConsoleSession[] }>(path));
  const { busy, error, run } = useRun();
  async function revoke(id: string): Promise<void> {
    await run(id, () => context.api.send('POST', `${path}/${encodeURIComponent(id)}/revoke`));
    reload();
  }
  return (
    <Panel id="tablets" title={say.tablets} hint={say.tabletsHint}>
      <Alert text={error || unread} />
      <ul class="rows">
        {data?.sessions.map(({ session_id: id, name, device, seen_at, is_this }) => (
          <li key={id}>
            <RowText
              name={deviceInWords(device)}
              more={`${name === null ? '' : `${name} · `}${is_this ? say.thisTablet : say.lastUsed({ moment: momentOf(context, seen_at) })}`}
            />
            {!is_this && (
              <Button
                label={say.signOutOf({ device: deviceInWords(device) })}
                isBusy={busy === id}
                onPress={() => revoke(id)}
                text={busy === id ? say.signingOut : say.signOut}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
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

/** A moment from a response, in the store's time zone. */
const momentOf = ({ clock, now }: ConsoleContext, moment: string) => clock.moment(Date.parse(moment) / 1000, now());

/** How the store receives its orders, and which channels fail. */
function Channels({ desk: { context } }: { desk: Desk }) {
  const path = '/store/channels';
  const { data, error } = useRead(path, () => context.api.get<{ channels: Channel[] }>(path), 30_000);
  if (!data || data.channels.length === 0) return <Alert text={error} />;
  return (
    <Panel id="channels" title={say.channels}>
      <ul class="rows">
        {data.channels.map(({ channel, state, failing_since: since }) => (
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
    </Panel>
  );
}

/** The operating system and browser that a device reports. */
function deviceInWords(device: string): string {
  const system = /iPad|iPhone|Android|Windows|Mac OS|CrOS|Linux/.exec(device)?.[0] ?? say.unknownDevice;
  const browser = /Edg|Firefox|Chrome|Safari/.exec(device)?.[0]?.replace('Edg', 'Edge');
  return [system.replace('Mac OS', 'Mac').replace('CrOS', 'Chromebook'), browser].filter(Boolean).join(', ');
}

const { minutes: minutesWords } = words;

/** How long orders took by hour, alongside the quoted minutes, and whether they are quoted. */
function MinutesPanel({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  const { api, format } = desk.context;
  const { data: minutes, error } = useRead('minutes', () => api.get<StoreMinutes>('/store/minutes'));
  if (!settings || !minutes) return <Alert text={error} />;
  const isAuto = settings.preparation === 'auto';
  const [least = 0, most = least] = minutes.stated;
  const turn = () =>
    change('minutes', 'PUT', '/store/kitchen', ({ kitchen }) => ({
      ...kitchen,
      preparation: isAuto ? 'stated' : 'auto',
    }));
  return (
    <Panel
      id="minutes"
      title={minutesWords.title}
      hint={isAuto ? minutesWords.isAuto : minutesWords.isStated({ least, most })}
      error={errorOf('minutes')}
    >
      {minutes.hours.length === 0 ? (
        <p class="soft">{minutesWords.none}</p>
      ) : (
        <ul class="rows">
          {minutes.hours.map(({ weekday, hour, orders, median, p80 }) => (
            <li key={`${weekday} ${hour}`}>
              <RowText
                name={`${format.weekday(WEEKDAYS.indexOf(weekday))}, ${rangeInWords({ startMinute: hour * 60, endMinute: hour * 60 + 60 }, format)}`}
                more={minutesWords.took({ median, p80, orders })}
              />
            </li>
          ))}
        </ul>
      )}
      {(isAuto || minutes.hours.length > 0) && (
        <Button
          isBusy={busy === 'minutes'}
          onPress={() => void turn()}
          text={isAuto ? minutesWords.useStated : minutesWords.useLearned}
        />
      )}
    </Panel>
  );
}

const { kitchen: kitchenWords } = words;
const LIMITS = ['orders', 'items'] as const;

/** The kitchen's capacity per quarter of an hour. */
function KitchenPanel({ desk, store: { settings, busy, errorOf, change } }: { desk: Desk; store: StoreDesk }) {
  const [edited, setEdited] = useState<Partial<StoreSettings['kitchen']>>({});
  if (!settings) return null;
  const kitchen = { ...settings.kitchen, ...edited };
  async function save(): Promise<void> {
    if (!(await change('kitchen', 'PUT', '/store/kitchen', (now) => ({ ...now.kitchen, ...edited })))) return;
    setEdited({});
    desk.tell(kitchenWords.saved);
  }
  return (
    <Panel id="kitchen" title={kitchenWords.title} hint={kitchenWords.hint} error={errorOf('kitchen')}>
      <Form class="fields" submit={save}>
        {LIMITS.map((limit) => (
          <Count
            key={limit}
            label={kitchenWords[limit]}
            min={1}
            count={kitchen[limit] ?? undefined}
            set={(count) => setEdited({ ...edited, [limit]: count ?? null })}
          />
        ))}
        <Button submit isBusy={busy === 'kitchen'} text={kitchenWords.save} />
      </Form>
    </Panel>
  );
}

/** The brands that the owner may set: of shops that leave their theme to their stores' owners. */
function BrandPanel({ desk: { context, tell } }: { desk: Desk }) {
  const { busy, error, run } = useRun();
  const path = (id = '') => `/store/brands${id && `/${encodeURIComponent(id)}`}`;
  const { data, error: unread } = useRead(path(), () => context.api.get<{ brands: StoreBrand[] }>(path()));
  async function save(id: string, draft: BrandDraft): Promise<void> {
    if (await run(id, () => context.api.send('PUT', path(id), draft))) tell(words.brand.saved);
  }
  if (!data || data.brands.length === 0) return <Alert text={unread} />;
  return (
    <Panel id="brand" title={words.brand.title} hint={words.brand.hint}>
      {data.brands.map(({ account_id: id, ...brand }) => (
        <BrandForm
          key={id}
          saved={brand}
          base={context.base}
          save={(draft) => void save(id, draft)}
          picture={({ label, url, set }) => (
            <PhotoField
              context={context}
              title={label}
              alt={label}
              photo={url ? { url, thumbnail: url } : null}
              set={(photo) => set(photo?.url ?? null)}
            />
          )}
        >
          <Alert text={error} />
          <Button kind="main" submit isBusy={busy === id} text={words.brand.save} />
        </BrandForm>
      ))}
    </Panel>
  );
}

/* A store's staff: their names, codes and last sign-ins. */

const { staff: staffWords } = words;

type Member = { staff_id: string; name: string; created_at: number; seen_at: number | null };
type NewCode = { name: string; code: string };

/** The people who sign in with a code of their own, for the store's owner. */
function StaffPanel({ desk: { context, tell } }: { desk: Desk }) {
  const { data, error: unread, reload } = useRead('staff', () => context.api.get<{ staff: Member[] }>('/store/staff'));
  const [name, setName] = useState('');
  const [shown, setShown] = useState<NewCode>();
  const [removing, setRemoving] = useState<Member>();
  const { busy, error, run: runOne } = useRun();

  const run = async (what: string, work: () => Promise<void>) => {
    await runOne(what, work);
    reload();
  };
  const change = <Answer,>({ staff_id: id }: Member, step: 'code' | 'remove') =>
    context.api.send<Answer>('POST', `/store/staff/${encodeURIComponent(id)}/${step}`);

  const add = () =>
    run('add', async () => {
      setShown(await context.api.send<NewCode>('POST', '/store/staff', { name }));
      setName('');
    });
  const replace = (member: Member) => run(member.staff_id, async () => setShown(await change<NewCode>(member, 'code')));
  const remove = (member: Member) =>
    run(member.staff_id, async () => {
      setRemoving(undefined);
      await change(member, 'remove');
      tell(staffWords.removed({ name: member.name }));
    });

  return (
    <Panel id="staff" title={staffWords.title} hint={staffWords.hint}>
      <ul class="rows">
        {data?.staff.map((member) => (
          <MemberRow
            key={member.staff_id}
            member={member}
            context={context}
            isBusy={busy === member.staff_id}
            replace={() => void replace(member)}
            remove={() => setRemoving(member)}
          />
        ))}
      </ul>
      <Alert text={error || unread} />
      <Form class="press-row" submit={add}>
        <BareField label={staffWords.name} maxLength={60} required value={name} set={setName} />
        <Button submit isBusy={busy === 'add'} isOff={name.trim() === ''} text={staffWords.add} />
      </Form>
      {shown && <CodeDialog {...shown} close={() => setShown(undefined)} />}
      {removing && (
        <FormDialog
          title={staffWords.removeTitle(removing)}
          close={() => setRemoving(undefined)}
          submit={() => remove(removing)}
          kind="main danger"
          text={staffWords.remove}
        >
          <p class="hint">{staffWords.removeHint}</p>
        </FormDialog>
      )}
    </Panel>
  );
}

type RowProps = { member: Member; context: Desk['context']; isBusy: boolean; replace: () => void; remove: () => void };

function MemberRow({ member: { name, seen_at: seenAt }, context, isBusy, replace, remove }: RowProps) {
  const lastUsed = (at: number) => words.settings.lastUsed({ moment: context.clock.moment(at, context.now()) });
  const seen = seenAt === null ? staffWords.neverUsed : lastUsed(seenAt);
  return (
    <li>
      <RowText name={name} more={seen} />
      <div class="press-row">
        <Button label={staffWords.newCodeFor({ name })} isBusy={isBusy} onPress={replace} text={staffWords.newCode} />
        <Button label={staffWords.removeOf({ name })} onPress={remove} text={staffWords.remove} />
      </div>
    </li>
  );
}

function CodeDialog({ name, code, close }: NewCode & { close: () => void }) {
  return (
    <Dialog title={staffWords.codeOf({ name })} close={close}>
      <p class="staff-code">{code}</p>
      <p class="hint">{staffWords.codeHint}</p>
      <Button kind="main" onPress={close} text={staffWords.done} />
    </Dialog>
  );
}
