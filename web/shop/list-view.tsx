import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { Select } from '../field.tsx';
import { loadStoreMap } from '../tracking/load-map.ts';
import { AddressField } from './address-field.tsx';
import type { FoundList, ListPage } from './boot.ts';
import { type DeviceSettings, isObject, KEPT_SETTINGS, NO_SETTINGS, readKept } from './device.ts';
import { findMore, findStores, hasMore, type Where } from './find-stores.ts';
import { changeKept } from './kept-state.ts';
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts';
import { Plain, Press } from './sheet.tsx';
import { useShop } from './shop-context.ts';
import { CoverImage, StoreCard } from './store-card.tsx';

/* The list of stores near an address, with filters and words. */

const { list, frame } = words;
type ListState = 'shown' | 'loading' | 'failed' | 'busy';
const NONE: FoundList = { stores: [], more: [], next: { store: null, item: null } };

/** Stores near a place. The first view is the server's; the device's address, filters and words search again. */
export function ListView({ page }: { page: ListPage }) {
  const { api, boot } = useShop();
  const [settings, setSettings] = useState(NO_SETTINGS);
  const [isRead, setRead] = useState(page.found !== null);
  const [query, setQuery] = useState(page.query);
  const [found, setFound] = useState<FoundList>(page.found ?? NONE);
  const [state, setState] = useState<ListState>(isRead ? 'shown' : 'loading');
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

  function narrow(narrowed: ListQuery): void {
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
    setRead(true);
    if (kept.place !== null || page.found === null) search(kept, narrowed);
  }, []);

  return (
    <main id="main" tabIndex={-1}>
      <Welcome isQuiet={!isRead || settings.place !== null} />
      <ModeChoice pickup={settings.pickup ?? false} onChange={(pickup) => set({ pickup })} />
      <PlaceLine
        settings={settings}
        isRead={isRead}
        isChanging={isChanging}
        change={() => setChanging(true)}
        set={set}
      />
      <search>
        <Filters query={query} stores={found.stores} narrow={narrow} />
      </search>
      <Results where={where} found={found} state={state} query={query} again={() => search(settings, query)} />
      {hasMore(found) && !isNowhere(where) && state === 'shown' && (
        <Press class="wide" onClick={() => show(() => findMore(api, where, query, found))}>
          {list.more}
        </Press>
      )}
    </main>
  );
}

/** The first line: the brand's own, over its cover; otherwise the service's, until there is an address. */
function Welcome({ isQuiet }: { isQuiet: boolean }) {
  const { coverUrl, welcome } = useShop().boot.brand;
  const title = <h1 class={isQuiet && !welcome ? 'unseen' : undefined}>{welcome ?? list.title}</h1>;
  if (!coverUrl) return title;
  return (
    <div class="cover hero">
      <CoverImage source={coverUrl} />
      {title}
    </div>
  );
}

type PlaceProps = {
  settings: DeviceSettings;
  isRead: boolean;
  isChanging: boolean;
  change: () => void;
  set: (change: Partial<DeviceSettings>) => void;
};

/** The address of the search, or the field for it; empty until the device's settings are read. */
function PlaceLine({ settings: { place, pickup }, isRead, isChanging, change, set }: PlaceProps) {
  if (!isRead) return <p class="place" />;
  if (place === null || isChanging) return <AddressField onPlace={(chosen) => set({ place: chosen })} place={place} />;
  return (
    <>
      <p class="place">
        {(pickup ? list.pickupNear : list.deliverTo)({ address: place.address })}{' '}
        <Plain onClick={change}>{list.change}</Plain>
      </p>
      {place.isArea === true && <p role="status">{list.middleOf({ area: place.parts?.city || place.address })}</p>}
    </>
  );
}

const isFound = (value: unknown): value is FoundList => isObject(value) && 'stores' in value;
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

type FiltersProps = { query: ListQuery; stores: FoundList['stores']; narrow: (query: ListQuery) => void };

const PRICE_LEVELS = [1, 2, 3, 4].map((level) => [String(level), '$'.repeat(level)] as const);
const MAX_CUISINES = 20;

/** Search, filters and sort: a form of the address's query, so it works without scripts too. */
function Filters({ query, stores, narrow }: FiltersProps) {
  const { lang } = useShop().boot;
  const cuisines = [...new Set([query.cuisine, ...stores.flatMap((store) => store.cuisines)])];
  const named = cuisines.filter((cuisine) => cuisine !== '').slice(0, MAX_CUISINES);
  const picks = [
    {
      name: 'cuisine',
      label: list.cuisine,
      options: [['', list.anyCuisine], ...named.map((one) => [one, one] as const)],
    },
    { name: 'dollars', label: list.price, options: [['', list.anyPrice], ...PRICE_LEVELS] },
    { name: 'sort', label: list.sort, options: Object.entries(list.sorts) },
  ] as const;
  const types = [
    ['restaurant', list.restaurants],
    ['grocery', list.groceries],
  ] as const;
  function read(form: HTMLFormElement, pressed?: HTMLInputElement): void {
    const given = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    // The last pressed type.
    if (pressed?.checked) given.set(pressed.name, pressed.value);
    narrow(readListQuery(String(given)));
  }
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        read(event.currentTarget);
      }}
      onChange={({ currentTarget, target }) => {
        if (target instanceof HTMLInputElement && target.type !== 'checkbox') return;
        read(currentTarget, target instanceof HTMLInputElement ? target : undefined);
      }}
    >
      <label class="search">
        <span class="unseen">{list.search}</span>
        <input
          type="search"
          name="q"
          defaultValue={query.words}
          placeholder={list.search}
          enterkeyhint="search"
          maxLength={100}
        />
      </label>
      <fieldset class="chips">
        <legend class="unseen">{list.filters}</legend>
        <Chip name="open" isOn={query.open} text={list.openNow} />
        <Chip name="rating" value="4" isOn={query.rating !== null} text={list.rated} />
        <Chip name="offers" isOn={query.offers} text={list.offers} />
        {types.map(([type, text]) => (
          <Chip key={type} name="type" value={type} isOn={query.type === type} text={text} />
        ))}
        {picks.map(({ name, label, options }) => (
          <Select
            key={name}
            class="pick"
            label={<span class="unseen">{label}</span>}
            name={name}
            value={String(query[name] ?? '')}
            options={options}
          />
        ))}
      </fieldset>
      {lang && <input type="hidden" name="lang" value={lang} />}
      <noscript>
        <button type="submit">{list.find}</button>
      </noscript>
    </form>
  );
}

type ChipProps = { name: string; value?: string; isOn: boolean; text: string };

const Chip = ({ name, value = '1', isOn, text }: ChipProps) => (
  <label class="chip">
    <input type="checkbox" name={name} value={value} checked={isOn} />
    {text}
  </label>
);

/** Whether nothing can be listed before the visitor gives an address. */
const isNowhere = ({ near, storeIds }: Where) => near === null && storeIds === null;

type ResultsProps = { where: Where; found: FoundList; state: ListState; query: ListQuery; again: () => void };

function Results({ where, found, state, query, again }: ResultsProps) {
  const { stores } = found;
  const isEmpty = stores.length === 0;
  const isNarrowed = writeListQuery({ ...query, sort: 'relevance' }) !== '';
  const nothing = isNowhere(where) ? list.giveAddress : isNarrowed ? list.none : list.noneHere;
  return (
    <section aria-busy={state === 'loading'}>
      {state !== 'shown' && state !== 'loading' && (
        <p class="fault" role="alert">
          {state === 'busy' ? frame.busy : frame.failed} <Plain onClick={again}>{frame.retry}</Plain>
        </p>
      )}
      {!isNowhere(where) && (
        <h2 class="found">{isEmpty && state === 'loading' ? '\u00a0' : headingOf(where, found)}</h2>
      )}
      {where.storeIds !== null && stores.length > 1 && <BranchMap stores={stores} />}
      <output class="unseen">
        {state === 'loading' ? frame.loading : !isNowhere(where) && list.count({ count: stores.length })}
      </output>
      {isEmpty && state === 'shown' ? (
        <p class="hint">{nothing}</p>
      ) : (
        groupsOf(where, stores).map(([title, group]) => (
          <Fragment key={title}>
            {title !== '' && <h2 class="found">{title}</h2>}
            <ul class="stores">
              {group.map((store, nth) => (
                <StoreCard key={store._id} store={store} isFirst={nth < 4} isDelivery={where.isDoor && !where.pickup} />
              ))}
            </ul>
          </Fragment>
        ))
      )}
    </section>
  );
}

/** The stores on a map, which is loaded once it is opened; nothing where there are no tiles. */
function BranchMap({ stores }: { stores: FoundList['stores'] }) {
  const { boot, pathOfStore } = useShop();
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen || !boot.map || !element.current) return undefined;
    const pins = stores.map((store) => {
      const { latitude, longitude } = store.address;
      return { at: [latitude, longitude], name: store.name, path: pathOfStore(store) } as const;
    });
    const removal = loadStoreMap(boot.map, element.current, pins);
    removal.catch(() => setBroken(true));
    return () => void removal.then((remove) => remove()).catch(() => {});
  }, [isOpen, stores]);
  if (!boot.map) return null;
  return (
    <details class="branches" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{list.map}</summary>
      {isBroken ? <p role="alert">{list.noMap}</p> : <div ref={element} />}
    </details>
  );
}

/** Stores that take orders, then the others; before an address the branches of a chain by city. */
function groupsOf({ isDoor, storeIds }: Where, stores: FoundList['stores']): [string, FoundList['stores']][] {
  const { true: now = [], false: later = [] } = Object.groupBy(stores, (one) => `${one.is_open && one.accepts_orders}`);
  const cities = Map.groupBy([...now, ...later], ({ address }) => address.city);
  if (!isDoor && storeIds !== null && cities.size > 1) return [...cities].sort(([a], [b]) => a.localeCompare(b));
  const groups: [string, FoundList['stores']][] = [
    ['', now],
    [list.closedNow, later],
  ];
  return groups.filter(([, group]) => group.length > 0);
}

/** The subject of the list: a place, or the number of stores once all are shown. */
const headingOf = ({ near, isDoor }: Where, found: FoundList): string =>
  near !== null && (!isDoor || hasMore(found))
    ? list.storesNear({ address: near.address })
    : list.count({ count: found.stores.length });
