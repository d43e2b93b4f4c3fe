import { httpUrl } from '../lib/parse-setting.ts';

/**
 * The settings of plug-ins, our own adapters included. A plug-in's settings are read below its prefix: `secretKey` of
 * `stripe` is STRIPE_SECRET_KEY. The required ones are set together or not at all. Other settings choose plug-ins by
 * name (docs/plugins.md#settings).
 */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A plug-in's setting, by default any text. */
export type Setting = {
  /** Ends the sentence of an invalid value: `ACME_URL must be an https URL.` */
  expected: string;
  /** Returns undefined for an invalid text, which no message repeats. */
  parse?(text: string): unknown;
  /** `alone`: may be set without the required ones, and then does nothing. */
  optional?: true | 'alone';
};
export type PluginSettings = Readonly<Record<string, Setting>>;

type ValueOf<S extends Setting> = S extends { parse(text: string): infer T } ? Exclude<T, undefined> : string;
type OptionalIn<S extends PluginSettings> = {
  [K in keyof S]: S[K] extends { optional: true | 'alone' } ? K : never;
}[keyof S];
/** The values of a plug-in's settings. */
export type SettingsOf<S extends PluginSettings> = {
  readonly [K in Exclude<keyof S, OptionalIn<S>>]: ValueOf<S[K]>;
} & { readonly [K in OptionalIn<S>]?: ValueOf<S[K]> };

type Offer = {
  readonly name: string;
  readonly takesUrl?: boolean;
  readonly byDefault?: boolean;
  readonly needs?: string;
};
/** The members of a plug-in that hold adapters. */
export const PLUGIN_LISTS = [
  'couriers',
  'gateways',
  'geocoders',
  'directories',
  'photos',
  'taxes',
  'mailers',
  'sms',
  'printers',
  'formats',
  'routes',
  'tracers',
] as const;
export type PluginList = (typeof PLUGIN_LISTS)[number];

/** A plug-in's part visible to settings. */
export type PluginOffer = {
  readonly name: string;
  readonly version: string;
  readonly api: number;
  readonly prefix?: string;
  readonly settings?: PluginSettings;
} & { readonly [List in PluginList]?: readonly Offer[] };

/** A loaded plug-in, as commands and pages show it: no value of a setting, because it may be a secret. */
export type LoadedPlugin = {
  name: string;
  version: string;
  api: number;
  /** Whether it has its required settings. */
  configured: boolean;
  /** `chosen` is null where stores, commands or requests choose, not settings. */
  offers: { list: PluginList; name: string; chosen: boolean | null }[];
  /** `name` is the environment variable, `default` an optional variable's default. */
  settings: { name: string; expected: string; state: 'set' | 'missing' | 'default' }[];
};

/** A choice by name; with a URL it is written NAME:URL. */
export type Choice = { name: string; url?: string };
type ChoiceRule = {
  setting: string;
  list: 'gateways' | 'taxes' | 'geocoders' | 'mailers' | 'sms';
  /** The word for none of them. */
  none?: string;
};

const GATEWAY: ChoiceRule = { setting: 'PAYMENT_GATEWAY', list: 'gateways' };
const TAX: ChoiceRule = { setting: 'TAX', list: 'taxes', none: 'built-in' };
const GEOCODER: ChoiceRule = { setting: 'GEOCODER', list: 'geocoders' };
const MAILER: ChoiceRule = { setting: 'MAILER', list: 'mailers' };
const SMS_SENDER: ChoiceRule = { setting: 'SMS_SENDER', list: 'sms' };

/** The settings that choose. */
export const CHOICES: readonly string[] = [GATEWAY, TAX, GEOCODER, MAILER, SMS_SENDER].map(({ setting }) => setting);

/** Why plug-ins cannot be used: their settings begin as one of the service's, or one is another plug-in's too. */
export function findSharedSettings(plugins: readonly PluginOffer[], ofService: readonly string[]): string[] {
  const owners = new Map<string, string>();
  return plugins.flatMap((plugin) => {
    const { name, settings = {} } = plugin;
    const prefix = prefixOf(plugin);
    const names = Object.keys(settings).map((key) => settingName(prefix, key));
    const alike = names.length > 0 && ofService.find((each) => `${each}_`.startsWith(prefix));
    const shared = names.find((each) => owners.has(each));
    const owner = shared && owners.get(shared);
    for (const each of names) owners.set(each, name);
    if (alike)
      return [`Plug-in ${name} can't be used: its settings would start with the same name as the service's ${alike}.`];
    return owner ? [`Plug-in ${name} can't be used: the plug-in ${owner} already uses the setting ${shared}.`] : [];
  });
}

/** Each configured plug-in's settings, and the choices between plug-ins. */
export function readPlugins(env: Environment, plugins: readonly PluginOffer[], faults: string[]) {
  const faulty = new Set<string>();
  const pluginSettings = new Map<string, Readonly<Record<string, unknown>>>();
  for (const plugin of plugins) {
    const { name, settings = {} } = plugin;
    const before = faults.length;
    const values = readGroup(env, { prefix: prefixOf(plugin), settings }, faults);
    if (values) pluginSettings.set(name, values);
    if (faults.length > before) faulty.add(name);
  }
  const choose = (rule: ChoiceRule): Choice | undefined => {
    const offers = plugins.flatMap((plugin) => (plugin[rule.list] ?? []).map((offer) => ({ ...offer, plugin })));
    const text = env[rule.setting]?.trim();
    if (text && text === rule.none) return undefined;
    if (!text) {
      const fallback = offers.find(({ byDefault, plugin }) => byDefault && pluginSettings.has(plugin.name));
      return fallback && { name: fallback.name };
    }
    const choice = parseChoice(text, offers);
    if (!choice) faults.push(`${rule.setting} must be ${expectedChoice(rule, offers)}.`);
    const plugin = offers.find(({ name }) => name === choice?.name)?.plugin;
    if (plugin && !pluginSettings.has(plugin.name) && !faulty.has(plugin.name)) {
      faults.push(`${rule.setting}=${choice?.name} needs ${requiredSettings(plugin)}.`);
    }
    return choice;
  };
  const firstReady = (list: 'directories' | 'photos' | 'tracers'): string | undefined => {
    const ready = plugins.flatMap((plugin) => {
      const values = pluginSettings.get(plugin.name);
      const offers = plugin[list] ?? [];
      return values ? offers.filter(({ needs }) => needs === undefined || values[needs] !== undefined) : [];
    });
    return ready[0]?.name;
  };
  const sms = choose(SMS_SENDER)?.name;
  const smsPlugin = plugins.find((plugin) => plugin.sms?.some(({ name }) => name === sms))?.name ?? '';
  const from = pluginSettings.get(smsPlugin)?.from;
  const chosen = {
    /** Takes the payments of live orders; undefined without one. */
    paymentGateway: choose(GATEWAY)?.name,
    /** Computes the taxes of live orders; undefined where the store's own apply. */
    taxService: choose(TAX)?.name,
    /** Looks up addresses; undefined refuses addresses of live keys. */
    geocoder: choose(GEOCODER),
    /** Looks up places that are no stores yet: the first directory that has its settings. */
    placeDirectory: firstReady('directories'),
    /** Keeps the files of photos: the first store of photos that has its settings; undefined keeps them in the database. */
    photoBucket: firstReady('photos'),
    /** Exports traces: the first tracer that has its settings; undefined disables tracing. */
    tracer: firstReady('tracers'),
    /** Sends mail; undefined leaves live mail in the queue. */
    mailer: choose(MAILER)?.name,
    /** Sends SMS; undefined leaves live SMS in the queue. */
    smsSender: sms,
  };
  const byList: ChosenNames = {
    gateways: chosen.paymentGateway,
    taxes: chosen.taxService,
    geocoders: chosen.geocoder?.name,
    directories: chosen.placeDirectory,
    photos: chosen.photoBucket,
    mailers: chosen.mailer,
    sms,
    tracers: chosen.tracer,
  };
  return {
    ...chosen,
    loadedPlugins: plugins.map((plugin): LoadedPlugin => {
      const { name, version, api } = plugin;
      const configured = pluginSettings.has(name);
      return { name, version, api, configured, offers: offersOf(plugin, byList), settings: statesOf(env, plugin) };
    }) as readonly LoadedPlugin[],
    pluginSettings: pluginSettings as ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    /** Sender number of SMS: the setting `from` of their plug-in. */
    textFrom: typeof from === 'string' ? from : undefined,
  };
}

type ChosenNames = { readonly [List in PluginList]?: string | undefined };

const offersOf = (plugin: PluginOffer, chosen: ChosenNames): LoadedPlugin['offers'] =>
  PLUGIN_LISTS.flatMap((list) =>
    (plugin[list] ?? []).map(({ name }) => ({ list, name, chosen: list in chosen ? chosen[list] === name : null })),
  );

const statesOf = (env: Environment, plugin: PluginOffer): LoadedPlugin['settings'] =>
  Object.entries(plugin.settings ?? {}).map(([key, { expected, optional }]) => {
    const name = settingName(prefixOf(plugin), key);
    const absent = optional ? 'default' : 'missing';
    return { name, expected, state: env[name]?.trim() ? 'set' : absent };
  });

/** Undefined for an unknown name, or an absent, wrong or needless URL. */
function parseChoice(text: string, offers: readonly Offer[]): Choice | undefined {
  const [, wanted, address] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const offer = offers.find(({ name }) => name === wanted);
  if (!offer?.takesUrl) return offer && address === undefined ? { name: offer.name } : undefined;
  const url = httpUrl(address ?? '');
  return url === undefined ? undefined : { name: offer.name, url };
}

function expectedChoice({ none }: ChoiceRule, offers: readonly Offer[]): string {
  const names = offers.map(({ name, takesUrl }) => (takesUrl ? `${name}:URL` : name));
  const all = [...(none === undefined ? [] : [none]), ...names];
  const words = all.length === 0 ? 'unset without a plug-in that offers one' : listed(all, 'or');
  return offers.some(({ takesUrl }) => takesUrl) ? `${words}, with an http or https URL without a query` : words;
}

/** Where a plug-in's settings are in the environment. */
export const prefixOf = ({ name, prefix = name }: Pick<PluginOffer, 'name' | 'prefix'>): string =>
  `${prefix.toUpperCase().replaceAll('-', '_')}_`;
export const settingName = (prefix: string, key: string): string =>
  prefix + key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const requiredNames = (prefix: string, settings: PluginSettings): string[] =>
  Object.keys(settings)
    .filter((key) => !settings[key]?.optional)
    .map((key) => settingName(prefix, key));

/** The names of a plug-in's required settings, as a list in a sentence. */
export const requiredSettings = (plugin: PluginOffer): string =>
  listed(requiredNames(prefixOf(plugin), plugin.settings ?? {}));

/** The values of a group; undefined if none is set. A missing required setting is an error if others are set. */
export function readGroup<S extends PluginSettings>(
  env: Environment,
  { prefix, settings }: { prefix: string; settings: S },
  faults: string[],
): SettingsOf<S> | undefined {
  const values: Record<string, unknown> = {};
  let needsOthers = false;
  let isFaulty = false;
  for (const [key, { expected, parse = String, optional }] of Object.entries<Setting>(settings)) {
    const name = settingName(prefix, key);
    const text = env[name]?.trim();
    if (!text) continue;
    needsOthers ||= optional !== 'alone';
    values[key] = parse(text);
    if (values[key] !== undefined) continue;
    faults.push(`${name} must be ${expected}.`);
    isFaulty = true;
  }
  const required = requiredNames(prefix, settings);
  const missing = required.filter((name) => !env[name]?.trim());
  if (missing.length === 0) return isFaulty ? undefined : (values as SettingsOf<S>);
  if (needsOthers) faults.push(`${listed(required)} must be set together.`);
  return undefined;
}

function listed(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : [names.slice(0, -1).join(', '), names.at(-1)].join(` ${word} `);
}
