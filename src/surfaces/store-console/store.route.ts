import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import { StoreChannelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import { listChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import { readLearnedMinutes } from '../../ordering/order/learned-minutes.db.ts';
import { setPreparation } from '../../ordering/order/set-preparation.flow.ts';
import { component, optionalWhole, orNull } from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { instantOfEpochSeconds, isoSeconds } from '../../platform/lib/time.ts';
import { parseHoursExceptions, parseStoreHours } from '../../supply/menus/feed-hours.ts';
import { FEED_LIMITS, faultOf, isWebUrl, type LineFault } from '../../supply/stores/feed-fields.ts';
import { type OwnHours, WEEKDAYS } from '../../supply/stores/hours.ts';
import { PREPARATIONS, preparationSetting } from '../../supply/stores/kitchen.ts';
import { openingAfterClosing, storeOpenStateAt } from '../../supply/stores/open-state.ts';
import { updateStorePreferences } from '../../supply/stores/set-store.db.ts';
import {
  pauseStore,
  resumeStore,
  setBusy,
  setOwnHours,
  setOwnPhotos,
  setStore,
} from '../../supply/stores/set-store.flow.ts';
import type { Store } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import {
  changeSettings,
  KitchenSchema,
  PHOTO_KINDS,
  readStoreSettings,
  type StoreDeps,
  StoreSettingsSchema,
  storeGone,
} from './change-store.flow.ts';

/** Store API endpoints for the store's own settings, pause, busy kitchen, hours and channel health. */

export type StoreSettings = Static<typeof StoreSettingsSchema>;

const SETTINGS = {
  example: {},
  answer: StoreSettingsSchema,
  on: { store: { refuses: ['store_not_found', 'live_only'] } },
} as const;

const readStore = operation({
  ...SETTINGS,
  name: 'readStore',
  endpoint: 'GET ',
  summary: "Get the key's store",
  description:
    "Returns the store's current name, hours, pause and switches. A sandbox store key or session can read them, too.",
}).run((deps: StoreDeps, { by }) => readStoreSettings(deps, by.merchant));

/** Minimum and maximum minutes of a pause. To close for more than a day, a store changes its hours. */
const MIN_PAUSE_MINUTES = 1;
const MAX_PAUSE_MINUTES = 1440;

const pauseStoreOperation = operation({
  ...SETTINGS,
  name: 'pauseStore',
  endpoint: 'POST /pause',
  summary: 'Pause the store',
  description:
    'The store is shown as closed until these minutes have passed or its hours open again. Replaces an earlier pause. Later slots are still offered, and placed orders continue.',
  example: { body: { minutes: 30 } },
  body: Type.Object({
    minutes: optionalWhole(MIN_PAUSE_MINUTES, MAX_PAUSE_MINUTES, 'The number of minutes from now.'),
    until: Type.Optional(
      Type.Literal('next_opening', {
        description:
          'Instead of `minutes`: ends the pause when the store next opens after its current hours, by `operational` hours and single dates. Returns 400 if it never closes or has no hours.',
      }),
    ),
  }),
}).run((deps: StoreDeps, { by, body }) =>
  changeSettings(deps, by.merchant, async (tx, storeId, at) =>
    pauseStore(tx, storeId, pauseEnd(await findStore(tx, storeId), body, at), at),
  ),
);

type PauseBody = { minutes?: number; until?: 'next_opening' };

function pauseEnd(store: Store | undefined, { minutes, until }: PauseBody, at: Temporal.Instant): Temporal.Instant {
  if ((minutes === undefined) === (until === undefined))
    throw invalidField('body', 'minutes', 'or `until` is required, not both');
  return minutes === undefined ? nextOpeningOf(store, '`minutes`', at) : at.add({ minutes });
}

function nextOpeningOf(store: Store | undefined, instead: string, at: Temporal.Instant): Temporal.Instant {
  const opening = store && openingAfterClosing(store, 'operational', at);
  if (opening) return opening;
  const neverCloses = store && storeOpenStateAt({ ...store, pausedUntil: null }, 'operational', at).open;
  const why = neverCloses ? 'has no moment, because the store never closes' : 'needs hours that close and open again';
  throw invalidField('body', 'until', `${why}; send ${instead} instead`);
}

const resumeStoreOperation = operation({
  ...SETTINGS,
  name: 'resumeStore',
  endpoint: 'POST /resume',
  summary: "End the store's pause",
  description: "Changes nothing if the store isn't paused.",
  body: Type.Object({}),
}).run((deps: StoreDeps, { by }) => changeSettings(deps, by.merchant, resumeStore));

const BUSY_LIMITS = { minMinutes: 5, maxMinutes: 60, maxHours: 4, defaultHours: 1 } as const;

const setStoreBusy = operation({
  ...SETTINGS,
  name: 'setStoreBusy',
  endpoint: 'POST /busy',
  summary: 'Add minutes to new orders while the kitchen is busy',
  description:
    'Increases quoted times for orders placed from now on. Other nodes and search follow within two seconds. Ends automatically. Replaces earlier extra minutes, and placed orders stay unchanged.',
  example: { body: { extra_minutes: 15 } },
  body: Type.Object({
    extra_minutes: Type.Integer({
      minimum: 0,
      maximum: BUSY_LIMITS.maxMinutes,
      description: 'The extra minutes, at least 5. 0 ends them.',
    }),
    until: Type.Optional(
      Type.Union([Type.Integer(), Type.Literal('next_opening')], {
        description:
          'When the extra minutes end: epoch seconds up to four hours ahead, or the next opening as for a pause, limited to four hours. Defaults to one hour from now.',
      }),
    ),
  }),
}).run(async (deps: StoreDeps, { by, body }) => {
  const { extra_minutes: minutes, until } = body;
  if (minutes > 0 && minutes < BUSY_LIMITS.minMinutes)
    throw invalidField('body', 'extra_minutes', `must be 0, or ${BUSY_LIMITS.minMinutes} to ${BUSY_LIMITS.maxMinutes}`);
  return changeSettings(deps, by.merchant, async (tx, storeId, at) => {
    const end = minutes === 0 ? null : busyEnd(await findStore(tx, storeId), until, at);
    return setBusy(tx, storeId, end && { minutes, until: end }, at);
  });
});

function busyEnd(store: Store | undefined, until: number | 'next_opening' | undefined, at: Temporal.Instant) {
  const latest = at.add({ hours: BUSY_LIMITS.maxHours });
  if (until === undefined) return at.add({ hours: BUSY_LIMITS.defaultHours });
  if (until === 'next_opening') {
    const opening = nextOpeningOf(store, 'epoch seconds', at);
    return Temporal.Instant.compare(opening, latest) < 0 ? opening : latest;
  }
  const isAhead = until * 1000 > at.epochMilliseconds && until * 1000 <= latest.epochMilliseconds;
  if (!isAhead) throw invalidField('body', 'until', 'must be within the next four hours, in epoch seconds');
  return instantOfEpochSeconds(until);
}

const setStoreKitchen = operation({
  ...SETTINGS,
  name: 'setStoreKitchen',
  endpoint: 'PUT /kitchen',
  summary: 'Set the kitchen capacity and prep times',
  description:
    'Sets orders and items per 15-minute window. Quotes follow immediately, and search within two seconds. The values apply until the store sets them again, or until an import provides a value that differs from its previous one.',
  example: { body: { orders: 8, items: 30 } },
  body: Type.Object({
    ...KitchenSchema.properties,
    preparation: Type.Optional(
      Type.Enum([...PREPARATIONS], {
        description: "`auto`: prep-time estimates updated daily from the store's orders. Omit it to keep it unchanged.",
      }),
    ),
  }),
}).run(async (deps: StoreDeps, { by, body }) => {
  const { preparation, ...kitchen } = body;
  return changeSettings(deps, by.merchant, async (tx, storeId, at) => {
    const store = await setStore(tx, storeId, { kitchen }, at);
    return preparation ? setPreparation(tx, storeId, preparation, at) : store;
  });
});

const LearnedHourSchema = Type.Object({
  weekday: Type.Enum([...WEEKDAYS]),
  hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: "The hour when the orders were placed, in the store's time zone.",
  }),
  orders: Type.Integer(),
  median: Type.Integer({ description: 'Half of them were ready within these minutes.' }),
  p80: Type.Integer({ description: 'Four in five were ready within these minutes.' }),
});

const MinutesSchema = component('StoreMinutes', "A kitchen's prep-time estimates.", {
  preparation: Type.Enum([...PREPARATIONS]),
  stated: Type.Array(Type.Integer(), { description: "The store's stated minimum and maximum minutes for pickup." }),
  hours: Type.Array(LearnedHourSchema, { description: 'Starting with Monday.' }),
});
export type StoreMinutes = Static<typeof MinutesSchema>;

const readStoreMinutes = operation({
  ...SETTINGS,
  name: 'readStoreMinutes',
  endpoint: 'GET /minutes',
  summary: "Get the kitchen's actual and quoted prep times",
  description:
    'Returns the minutes from confirmation to readiness for live ASAP orders of the last eight weeks, for each hour of the week with at least 20 orders.',
  answer: MinutesSchema,
  on: { store: { ...SETTINGS.on.store, admit: refuseSandbox } },
}).run(async ({ db, clock }: StoreDeps, { by }) => {
  const store = await findStore(db, by.merchant.storeId);
  if (!store) throw storeGone();
  const learned = await readLearnedMinutes(db, store, clock.now());
  return {
    preparation: preparationSetting(store),
    stated: [...store.pickup.prepMinutes],
    hours: Object.entries(learned).map(([at, [median, p80, orders]]) => {
      const hour = Number(at) % 24;
      return { weekday: WEEKDAYS[(Number(at) - hour) / 24] ?? 'Monday', hour, orders, median, p80 };
    }),
  };
});

const setStoreLanguage = operation({
  ...SETTINGS,
  name: 'setStoreLanguage',
  endpoint: 'PUT /language',
  summary: "Set the store's language",
  description:
    'Sets the language of its console, kitchen tickets, emails and text messages. Each tablet can use another language. It applies until the store sets another one, or until an import provides a value that differs from its previous one.',
  example: { body: { language: 'fr' } },
  body: Type.Object({ language: Type.Enum([...LANGUAGES], { description: 'English, French or Spanish.' }) }),
}).run((deps: StoreDeps, { by, body: { language } }) =>
  changeSettings(deps, by.merchant, (tx, storeId) => updateStorePreferences(tx, storeId, { language })),
);

const setStoreHours = operation({
  ...SETTINGS,
  name: 'setStoreHours',
  endpoint: 'PUT /hours',
  summary: "Set the store's weekly hours and single dates",
  description:
    "Sent values replace the feed's, until the store sends another value or an import provides a value that differs from its previous one. Send at least one of the two fields. An omitted field stays unchanged.",
  example: {
    body: {
      hours: { operational: 'Mo-Su 00:00-24:00', pickup: 'Mo-Fr 11:00-21:00' },
      hours_exceptions: [{ from: '2026-12-25', to: '2026-12-26', hours: 'Closed' }],
    },
  },
  body: Type.Object({
    hours: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description:
          "Like a feed's `hours`: any of `operational`, `delivery`, `pickup`, `dine_in`, each an object by weekday or a string in OpenStreetMap's `opening_hours` syntax. An omitted channel follows `operational`. `null` returns to the feed's hours.",
        examples: [
          { operational: { Monday: '11:00AM - 10:00PM', Saturday: '05:00PM - 02:00AM' }, pickup: 'Mo-Fr 11:00-21:00' },
        ],
      }),
    ),
    hours_exceptions: Type.Optional(
      Type.Unsafe<readonly unknown[] | null>({
        type: ['array', 'null'],
        items: {},
        description:
          "Like a feed's `hours_exceptions`: dates with different hours, each `{ from, to?, hours, channel? }`. An empty list removes all such dates. `null` returns to the feed's.",
        examples: [[{ from: '2026-12-25', to: '2026-12-26', hours: 'Closed' }]],
      }),
    ),
  }),
}).run(async (deps: StoreDeps, { by, body }) => {
  const changes = readChanges(body);
  return changeSettings(deps, by.merchant, (tx, storeId, at) => setOwnHours(tx, storeId, changes, at));
});

type HoursBody = { hours?: object | null; hours_exceptions?: readonly unknown[] | null };

function readChanges({ hours, hours_exceptions: exceptions }: HoursBody): Partial<OwnHours> {
  const faults: Fault[] = [];
  const report = (found: readonly LineFault[]) => faults.push(...found.map(faultOf));
  const changes: Partial<OwnHours> = {};
  if (hours === undefined && exceptions === undefined) report([{ path: 'hours', message: 'is required' }]);
  if (hours === null) changes.hours = null;
  if (exceptions === null) changes.exceptions = null;
  if (hours) {
    const parsed = parseStoreHours(hours);
    if (parsed.ok) changes.hours = parsed.value;
    else report(parsed.faults);
  }
  if (exceptions) {
    const parsed = parseHoursExceptions(exceptions);
    if (parsed.ok) changes.exceptions = parsed.value;
    else report(parsed.faults);
  }
  if (faults.length > 0) throw invalidRequest(faults);
  return changes;
}

/** Of each kind; a feed may bring more. */
const MAX_PHOTOS = 20;
const photosOf = (description: string) =>
  Type.Optional(
    Type.Unsafe<readonly string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', maxLength: FEED_LIMITS.urlCharacters },
      maxItems: MAX_PHOTOS,
      description,
    }),
  );

const setStorePhotos = operation({
  ...SETTINGS,
  name: 'setStorePhotos',
  endpoint: 'PUT /photos',
  summary: "Set the store's photos",
  description:
    "URLs, such as an uploaded photo's `url`, most important first. They apply until the store sets them again, or until an import provides a value that differs from its previous one. `null` returns to the feed's photos. An empty list removes all photos. An omitted kind stays unchanged.",
  example: { body: { logo: ['https://cdn.example/logo.png'] } },
  body: Type.Object({
    logo: photosOf("The store's `logo_photos`."),
    store: photosOf("The store's `store_photos`, used as its header."),
    food: photosOf("The store's `food_photos`."),
  }),
  on: { store: { ...SETTINGS.on.store, admit: refuseSandbox } },
}).run(async (deps: StoreDeps, { by, body }) => {
  const faults = PHOTO_KINDS.flatMap((kind) =>
    (body[kind] ?? []).flatMap((url, at): Fault[] =>
      isWebUrl(url) ? [] : [{ in: 'body', name: `${kind}[${at}]`, message: 'must be an http or https URL' }],
    ),
  );
  if (faults.length > 0) throw invalidRequest(faults);
  const changes = Object.fromEntries(PHOTO_KINDS.filter((kind) => kind in body).map((kind) => [kind, body[kind]]));
  return changeSettings(deps, by.merchant, (tx, storeId, at) => setOwnPhotos(tx, storeId, changes, at));
});

const ChannelSchema = Type.Object({
  channel: StoreChannelSchema,
  state: Type.Enum(['working', 'failing']),
  failing_since: orNull(Type.String(), 'Null while it works.'),
  last_error: orNull(Type.String(), 'Why the last attempt failed.'),
});
/** GET /store/channels reports channel health, so that a console can show a printer that is off. */
const listStoreChannels = operation({
  ...SETTINGS,
  name: 'listStoreChannels',
  endpoint: 'GET /channels',
  summary: "Get the store's order channels and their state",
  description:
    'A channel is failing from its first failed attempt until an attempt succeeds. Sandbox store keys and sessions are refused.',
  answer: Type.Object(
    { channels: Type.Array(ChannelSchema) },
    { description: 'The channels without targets and secrets.' },
  ),
  on: { store: { refuses: ['live_only'], admit: refuseSandbox } },
}).run(async ({ db }: StoreDeps, { by }) => {
  const channels = await listChannels(db, by.merchant.storeId);
  return {
    channels: channels.map(({ channel, failingSince, lastError }) => ({
      channel,
      state: failingSince === null ? ('working' as const) : ('failing' as const),
      failing_since: failingSince && isoSeconds(failingSince),
      last_error: lastError,
    })),
  };
});

/** A store and its switches. */
export const STORE_SETTINGS_OPERATIONS = [
  readStore,
  pauseStoreOperation,
  resumeStoreOperation,
  setStoreBusy,
  setStoreHours,
  setStorePhotos,
  setStoreLanguage,
  setStoreKitchen,
  readStoreMinutes,
  listStoreChannels,
];
