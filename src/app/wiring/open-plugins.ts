import { errorMessage } from 'doorstep/files';
import { ConfigError } from '../../platform/config/config.ts';
import type { Choice } from '../../platform/config/plugin-settings.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { GEOCODING, guardPort, missingOperations, type Operations, withinTime } from '../adapters/guard-port.ts';
import type { Plugin, PluginEntry } from '../adapters/plugin.ts';
import type { ServiceOptions } from './service-options.ts';

type ListOf<Port> = (plugin: Plugin) => readonly PluginEntry<Port>[] | undefined;

const OPEN_TIMEOUT_MS = 20_000;

type OpenOptions = Pick<ServiceOptions, 'config' | 'clock' | 'partyUrls'> &
  Partial<Pick<ServiceOptions, 'log'>> & {
    reportLeftOut?: ReportLeftOut;
  };

/** The names of a list, in the sequence of the plug-ins. */
export function namesOf(plugins: readonly Plugin[], list: ListOf<unknown>): string[] {
  return plugins.flatMap((plugin) => list(plugin) ?? []).map(({ name }) => name);
}

/** Opens and guards each adapter of a list whose plug-in has its settings, by name. */
export async function openEach<Port extends object>(
  options: OpenOptions,
  list: ListOf<Port>,
  [party, operations, timeoutMs]: readonly [party: string, Operations<Port>, timeoutMs?: number],
): Promise<Map<string, Port>> {
  const opened = new Map<string, Port>();
  const configured = options.config.plugins.all.filter(({ name }) => options.config.pluginSettings.has(name));
  for (const name of namesOf(configured, list)) {
    const port = await openNamed(options, list, name);
    if (port !== undefined) opened.set(name, guarded(party, name, port, operations, timeoutMs));
  }
  return opened;
}

/**
 * Opens the adapter of a name; undefined if there is none, or its plug-in lacks its settings. Throws ConfigError if it
 * cannot be opened.
 */
export async function openNamed<Port>(
  { config, clock, log, partyUrls, reportLeftOut }: OpenOptions,
  list: ListOf<Port>,
  chosen: string | Choice | undefined,
): Promise<Port | undefined> {
  const choice = typeof chosen === 'string' ? { name: chosen } : chosen;
  for (const plugin of config.plugins.all) {
    const entry = list(plugin)?.find(({ name }) => name === choice?.name);
    const settings = config.pluginSettings.get(plugin.name);
    if (!entry || !settings) continue;
    const context = {
      settings,
      clock,
      log: log ?? NO_LOG,
      baseUrl: config.baseUrl,
      url: choice?.url,
      partyUrls: partyUrls?.[plugin.name] ?? {},
      reportLeftOut,
    };
    const late = () => new Error('it took too long');
    // `then`: a plug-in in JavaScript may throw, or return its adapter at once.
    const opening = Promise.resolve().then(() => entry.open(context));
    return withinTime(opening, OPEN_TIMEOUT_MS, late).catch((error: unknown) => {
      throw new ConfigError([`Plug-in ${plugin.name} could not open ${entry.name}: ${errorMessage(error)}.`]);
    });
  }
  return undefined;
}

/** Opens and guards the adapter that a setting chooses; undefined without one. */
export async function openChosen<Port extends object>(
  options: OpenOptions,
  chosen: string | Choice | undefined,
  list: ListOf<Port>,
  [party, operations]: readonly [party: string, Operations<Port>],
): Promise<Port | undefined> {
  const port = await openNamed(options, list, chosen);
  const name = typeof chosen === 'string' ? chosen : chosen?.name;
  return port && guarded(party, name ?? '', port, operations);
}

export const openGeocoder = (options: OpenOptions) =>
  openChosen(options, options.config.geocoder, ({ geocoders }) => geocoders, ['geocoder', GEOCODING]);

const NO_LOG = { error: () => {}, warn: () => {}, info: () => {} };

/** Guards an opened adapter; throws ConfigError if it lacks operations of its port. */
export function guarded<Port extends object>(
  party: string,
  who: string,
  port: Port,
  operations: Operations<Port>,
  timeoutMs?: number,
): Port {
  const missing = missingOperations(port, operations);
  if (missing.length > 0) throw new ConfigError([`The ${party} ${who} has no ${missing.join(', ')}.`]);
  return guardPort({ party, who, timeoutMs }, port, operations);
}
