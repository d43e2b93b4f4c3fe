import { dirname } from 'node:path';
import { errorCode, errorMessage } from 'doorstep/files';
import type { PolledTickets } from '../../notify/outbox/printer.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { type Choice, requiredSettings } from '../../platform/config/plugin-settings.ts';
import { PACKAGES } from '../../platform/lib/compile-cache.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import {
  GEOCODING,
  guardPort,
  type Operations,
  ROUTE,
  requireOperations,
  TRACING,
  withinTime,
} from '../adapters/guard-port.ts';
import {
  type OpenedTracer,
  type Plugin,
  type PluginContext,
  type PluginEntry,
  type PluginRoute,
  ROUTE_METHODS,
} from '../adapters/plugin.ts';
import type { ServiceOptions } from './service-options.ts';

/* Opens the adapters of plug-ins: all of a list, or the chosen one. A failure stops the start with name and reason. */

type ListOf<Port> = (plugin: Plugin) => readonly PluginEntry<Port>[] | undefined;

const OPEN_TIMEOUT_MS = 20_000;

type OpenOptions = Pick<ServiceOptions, 'config' | 'clock' | 'partyUrls'> &
  Partial<Pick<ServiceOptions, 'log' | 'role'>> & { reportLeftOut?: ReportLeftOut };

/** The names of a list, in the order of the plug-ins. */
export function namesOf(plugins: readonly Plugin[], list: ListOf<unknown>): string[] {
  return plugins.flatMap((plugin) => list(plugin) ?? []).map(({ name }) => name);
}

/** The paths that printers of each name poll. */
export function polledPathsOf(plugins: readonly Plugin[]): Map<string, string> {
  const paths = plugins.flatMap(({ name, routes = [] }) =>
    routes.filter(({ printer }) => printer).map((route) => [route.name, `/plugins/${name}/${route.name}`] as const),
  );
  return new Map(paths);
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
  { config, clock, log, role, partyUrls, reportLeftOut }: OpenOptions,
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
      role,
      baseUrl: config.baseUrl,
      url: choice?.url,
      partyUrls: partyUrls?.[plugin.name] ?? {},
      reportLeftOut,
    };
    const late = () => new Error('it took too long');
    // `then`: a plug-in in JavaScript may throw, or return its adapter at once.
    const opening = Promise.resolve().then(() => entry.open(context));
    return withinTime(opening, entry.openTimeoutMs ?? OPEN_TIMEOUT_MS, late).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      if (entry.packages !== undefined && errorCode(error) === 'ERR_MODULE_NOT_FOUND')
        throw new ConfigError([needsPackages(plugin, entry.packages, config)]);
      throw new ConfigError([`Plug-in ${plugin.name} could not open ${entry.name}: ${errorMessage(error)}.`]);
    });
  }
  return undefined;
}

function needsPackages(plugin: Plugin, packages: string, { databaseUrl }: OpenOptions['config']): string {
  // npm would otherwise add packages omitted by the installation; the embedded database serves nodes without DATABASE_URL.
  const omitted = databaseUrl ? '--omit=dev --omit=peer' : '--omit=dev';
  const command = `npm install --prefix ${dirname(PACKAGES)} --no-save ${omitted} ${packages}`;
  return `Plug-in ${plugin.name} lacks packages: run \`${command}\`, or remove ${requiredSettings(plugin)}.`;
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

/** Opens the tracer, if one has its settings. It is not guarded, because every request begins a span. */
export async function openTracer(options: OpenOptions): Promise<OpenedTracer | undefined> {
  const { tracer: name } = options.config;
  const tracer = await openNamed(options, ({ tracers }) => tracers, name);
  if (tracer) requireOperations(`tracer ${name}`, tracer, TRACING);
  return tracer;
}

const ROUTE_PATH = /^(\/:?[a-z][a-z0-9_-]{0,39}){1,8}$/;

/** Opens and guards the routes of every plug-in that has its settings; their paths begin with `/plugins/NAME`. */
export async function openRoutes(options: OpenOptions, tickets: PolledTickets): Promise<PluginRoute[]> {
  const opened: PluginRoute[] = [];
  const entriesOf = ({ routes }: Plugin) =>
    routes?.map(({ name, open }) => ({ name, open: (context: PluginContext) => open({ ...context, tickets }) }));
  for (const plugin of options.config.plugins.all) {
    for (const { name } of plugin.routes ?? []) {
      for (const route of (await openNamed(options, entriesOf, name)) ?? []) {
        const { method, path } = route;
        if (!ROUTE_METHODS.includes(method) || !ROUTE_PATH.test(path))
          throw new ConfigError([`Plug-in ${plugin.name} has the route ${method} ${path}, which cannot be one.`]);
        opened.push({ ...guarded('plug-in', plugin.name, route, ROUTE), path: `/plugins/${plugin.name}${path}` });
      }
    }
  }
  return opened;
}

const NO_LOG = { error: () => {}, warn: () => {}, info: () => {} };

/** Guards an opened adapter; throws ConfigError if it lacks operations of its port. */
export function guarded<Port extends object>(
  party: string,
  who: string,
  port: Port,
  operations: Operations<Port>,
  timeoutMs?: number,
): Port {
  requireOperations(`${party} ${who}`, port, operations);
  return guardPort({ party, who, timeoutMs }, port, operations);
}
