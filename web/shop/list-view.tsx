import { useEffect, useRef, useState } from 'preact/hooks';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { AddressField } from './address-field.tsx';
import type { FoundList, ListPage } from './boot.ts';
import { type DeviceSettings, KEPT_SETTINGS, NO_SETTINGS, readKept } from './device.ts';
import { findMore, findStores, hasMore, type Where } from './find-stores.ts';
import { changeKept } from './kept-state.ts';
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts';
import { useShop } from './shop-context.ts';
import { StoreCard } from './store-card.tsx';

/* The list of stores near an address, with filters and words. */

const { list, frame } = words;

/** Stores near a place. The first view is the server's; the device's address, filters and words search again. */
export function ListView({ page }: { page: ListPage }) {
  const { api, boot } = useShop();
  const [settings, setSettings] = useState<DeviceSettings>({ place: null, pickup: null });
  const [query, setQuery] = useState(page.query);
  const [found, setFound] = useState<FoundList>(page.found);
  const [state, setState] = useState<'shown' | 'loading' | 'failed' | 'busy'>('shown');
  const [isChanging, setChanging] = useState(false);
  const latest = useRef(0);
  const where = whereOf(page, settings);

  async function show(read: () => Promise<FoundList>): Promise<void> {
    latest.current += 1;
    const own = latest.current;
    setState('loading');
    const next = await read().catch((error: unknown) => error);
    // A later search may have answered before.
    if (own !== latest.current) return;
    if (isFound(next)) setFound(next);
    setState(isFound(next) ? 'shown' : isRateLimited(next) ? 'busy' : 'failed');
  }

  const search = (changed: DeviceSettings, narrowed: ListQuery) =>
    show(() => findStores(api, whereOf(page, changed), narrowed));

  function narrow(change: Partial<ListQuery>): void {
    const narrowed = { ...query, ...change };
    setQuery(narrowed);
    history.replaceState(null, '', location.pathname + writeListQuery(narrowed, boot.lang));
    search(settings, narrowed);
  }

  function set(change: Partial<DeviceSettings>): void {
    const changed = { ...settings, ...change };
    setSettings(changed);
    setChanging(false);
    changeKept(KEPT_SETTINGS, () => changed);
    search(changed, query);
  }

  useEffect(() => {
    const kept = readKept(KEPT_SETTINGS) ?? NO_SETTINGS;
    const narrowed = readListQuery(location.search);
    setSettings(kept);
    if (kept.place !== null) search(kept, narrowed);
    const onBack = () => {
      const back = readListQuery(location.search);
      setQuery(back);
      search(readKept(KEPT_SETTINGS) ?? NO_SETTINGS, back);
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);

  const pickup = settings.pickup ?? false;
  return (
    <main id="main" tabIndex={-1}>
      <h1 class={settings.place ? 'unseen' : undefined}>{list.title}</h1>
      <PlaceLine settings={settings} isChanging={isChanging} change={() => setChanging(true)} set={set} />
      <ModeChoice pickup={pickup} onChange={(chosen) => set({ pickup: chosen })} />
      <search>
        <Filters query={query} stores={found.stores} onChange={narrow} />
      </search>
      {state !== 'shown' && state !== 'loading' && (
        <p class="fault" role="alert">
          {state === 'busy' ? frame.busy : frame.failed}{' '}
          <button type="button" class="plain" onClick={() => search(settings, query)}>
            {frame.retry}
          </button>
        </p>
      )}
      <Results where={where} found={found} state={state} query={query} />
      {hasMore(found) && state === 'shown' && (
        <button type="button" class="wide" onClick={() => show(() => findMore(api, where, query, found))}>
          {list.more}
        </button>
      )}
    </main>
  );
}

type PlaceProps = {
  settings: DeviceSettings;
  isChanging: boolean;
  change: () => void;
  set: (change: Partial<DeviceSettings>) => void;
};

/** The address of the search, or the field for it. */
function PlaceLine({ settings: { place, pickup }, isChanging, change, set }: PlaceProps) {
  if (place === null || isChanging) return <AddressField onPlace={(chosen) => set({ place: chosen })} place={place} />;
  return (
    <>
      <p class="place">
        {(pickup ? list.pickupNear : list.deliverTo)({ address: place.address })}{' '}
        <button type="button" class="plain" onClick={change}>
          {list.change}
        </button>
      </p>
      {place.isArea === true && <p role="status">{list.middleOf({ area: place.parts?.city || place.address })}</p>}
    </>
  );
}

const isFound = (value: unknown): value is FoundList =>
  typeof value === 'object' && value !== null && 'stores' in value;
const isRateLimited = (error: unknown) => error instanceof DoorstepError && error.code === 'rate_limited';

function whereOf({ near, storeIds }: ListPage, { place, pickup }: DeviceSettings): Where {
  return { near: place ?? near, isDoor: place !== null, pickup: pickup ?? false, storeIds };
}

export function ModeChoice({ pickup, onChange }: { pickup: boolean; onChange: (pickup: boolean) => void }) {
  return (
    <fieldset class="modes">
      <legend class="unseen">{list.mode}</legend>
      {[false, true].map((mode) => (
        <label key={String(mode)}>
          <input type="radio" name="mode" checked={pickup === mode} onChange={() => onChange(mode)} />
          {mode ? list.pickup : list.delivery}
        </label>
      ))}
    </fieldset>
  );
}

type FiltersProps = {
  query: ListQuery;
  stores: FoundList['stores'];
  onChange: (change: Partial<ListQuery>) => void;
};

const PRICE_LEVELS = [1, 2, 3, 4].map((level) => [String(level), '$'.repeat(level)]);
const MAX_CUISINES = 20;

/** Search, filters and sort: a form of the address's query, so it works without scripts too. */
function Filters({ query, stores, onChange }: FiltersProps) {
  const { lang } = useShop().boot;
  const cuisines = [...new Set([query.cuisine, ...stores.flatMap((store) => store.cuisines)])];
  const named = cuisines.filter((cuisine) => cuisine !== '').slice(0, MAX_CUISINES);
  const picks = [
    { name: 'cuisine', label: list.cuisine, options: [['', list.anyCuisine], ...named.map((one) => [one, one])] },
    { name: 'dollars', label: list.price, options: [['', list.anyPrice], ...PRICE_LEVELS] },
    { name: 'sort', label: list.sort, options: Object.entries(list.sorts) },
  ] as const;
  const types = [
    ['restaurant', list.restaurants],
    ['grocery', list.groceries],
  ] as const;
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ words: String(new FormData(event.currentTarget).get('q')).trim() });
      }}
    >
      <label class="search">
        <span class="unseen">{list.search}</span>
        <input
          type="search"
          name="q"
          value={query.words}
          placeholder={list.search}
          enterkeyhint="search"
          maxLength={100}
        />
      </label>
      <fieldset class="chips">
        <legend class="unseen">{list.filters}</legend>
        <Chip name="open" isOn={query.open} onChange={(open) => onChange({ open })}>
          {list.openNow}
        </Chip>
        <Chip
          name="rating"
          value="4"
          isOn={query.rating !== null}
          onChange={(on) => onChange({ rating: on ? 4 : null })}
        >
          {list.rated}
        </Chip>
        {types.map(([type, name]) => (
          <Chip
            key={type}
            name="type"
            value={type}
            isOn={query.type === type}
            onChange={(on) => onChange({ type: on ? type : null })}
          >
            {name}
          </Chip>
        ))}
        {picks.map(({ name, label, options }) => (
          <Pick key={name} name={name} label={label} options={options} query={query} onChange={onChange} />
        ))}
      </fieldset>
      {lang && <input type="hidden" name="lang" value={lang} />}
      <noscript>
        <button type="submit">{list.find}</button>
      </noscript>
    </form>
  );
}

type PickProps = {
  name: 'cuisine' | 'dollars' | 'sort';
  label: string;
  options: readonly (readonly string[])[];
  query: ListQuery;
  onChange: FiltersProps['onChange'];
};

function Pick({ name, label, options, query, onChange }: PickProps) {
  return (
    <label class="pick">
      <span class="unseen">{label}</span>
      <select
        name={name}
        value={query[name] ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ [name]: readListQuery(String(new URLSearchParams({ [name]: value })))[name] })
        }
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

type ChipProps = {
  name: string;
  value?: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: string;
};

function Chip({ name, value = '1', isOn, onChange, children }: ChipProps) {
  return (
    <label class="chip">
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

function Results({ where, found, state, query }: { where: Where; found: FoundList; state: string; query: ListQuery }) {
  const { stores } = found;
  const isNarrowed = writeListQuery({ ...query, sort: 'relevance' }) !== '';
  const nothing =
    where.near === null && where.storeIds === null ? list.giveAddress : isNarrowed ? list.none : list.noneHere;
  return (
    <section aria-busy={state === 'loading'}>
      <h2 class="count">{headingOf(where, found)}</h2>
      <output class="unseen">{state === 'loading' ? frame.loading : list.count({ count: stores.length })}</output>
      {stores.length === 0 && state === 'shown' ? (
        <p class="hint">{nothing}</p>
      ) : (
        <ul class="stores">
          {stores.map((store, nth) => (
            <StoreCard key={store._id} store={store} isFirst={nth < 4} isDelivery={where.isDoor && !where.pickup} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What the list is of: a place, or so many stores once all are shown. */
const headingOf = ({ near, isDoor }: Where, found: FoundList): string =>
  near !== null && (!isDoor || hasMore(found))
    ? list.storesNear({ address: near.address })
    : list.count({ count: found.stores.length });
