import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from 'doorstep/files';
import { type Environment, PLUGIN_LISTS, type PluginList } from '../../platform/config/plugin-settings.ts';
import { isJsonObject, memberOf } from '../../platform/lib/json-object.ts';
import { withinTime } from '../adapters/guard-port.ts';
import { OWN_PLUGINS } from '../adapters/own-plugins.ts';
import { PLUGIN_API, type Plugin } from '../adapters/plugin.ts';

/** The plug-ins of a service, our own first, and why others were not loaded. */
export type Plugins = { all: readonly Plugin[]; faults: readonly string[] };

export const OWN: Plugins = { all: OWN_PLUGINS, faults: [] };

const LOAD_TIMEOUT_MS = 20_000;
const NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Our own plug-ins except PLUGINS_OFF, and the files of PLUGINS; both separated by commas. */
export async function loadPlugins(env: Environment, own: readonly Plugin[] = OWN_PLUGINS): Promise<Plugins> {
  const files = listOf(env.PLUGINS);
  const off = listOf(env.PLUGINS_OFF);
  const all = own.filter(({ name }) => !off.includes(name));
  const unknown = off.filter((name) => !own.some((plugin) => plugin.name === name));
  const faults = unknown.map((name) => `PLUGINS_OFF names ${name}, which is none of: ${own.map(nameOf).join(', ')}.`);
  for (const file of new Set(files)) {
    try {
      all.push(parsePlugin(await importPlugin(file), all));
    } catch (error) {
      faults.push(`Plug-in ${file} cannot be used: ${withoutStop(errorMessage(error))}.`);
    }
  }
  return { all, faults };
}

const listOf = (text = ''): string[] => text.split(',').flatMap((part) => part.trim() || []);
const nameOf = ({ name }: Plugin): string => name;

const withoutStop = (sentence: string): string => (sentence.split('\n')[0] ?? '').replace(/(?<![.\s])[.\s]+$/, '');

/** Imports a file. `doorstep/plugin` is this service's module for a file in any folder, so classes are the same. */
async function importPlugin(file: string): Promise<unknown> {
  const own = import.meta.resolve('../adapters/plugin.ts');
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'doorstep/plugin' ? { url: own, shortCircuit: true } : next(specifier, context),
  });
  const late = () => new Error('it takes longer than 20 seconds to load');
  try {
    const module: unknown = await withinTime(import(pathToFileURL(resolve(file)).href), LOAD_TIMEOUT_MS, late);
    return isJsonObject(module) ? module.default : undefined;
  } finally {
    hooks.deregister();
  }
}

/** The plug-in that a module exports. Throws an error whose message says why it is none. */
function parsePlugin(exported: unknown, others: readonly Plugin[]): Plugin {
  if (!isJsonObject(exported))
    throw new Error('its default export is no plug-in; write `export default definePlugin(…)`');
  const { name, version, api, prefix = name } = exported;
  const who = `${String(name)} ${String(version)}`;
  if (api !== PLUGIN_API)
    throw new Error(`${who} is made for api ${String(api)}, and this Doorstep has api ${PLUGIN_API}`);
  if (typeof name !== 'string' || !NAME.test(name))
    throw new Error('its name must be lower-case letters, digits, - and _, at most 40, beginning with a letter');
  if (typeof prefix !== 'string' || !NAME.test(prefix))
    throw new Error(`${who} has a prefix that could not be a name of a plug-in`);
  if (typeof version !== 'string' || version === '') throw new Error(`${name} has no version`);
  const unknown = Object.keys(exported).filter((key) => !MEMBERS.includes(key));
  if (unknown.length > 0) throw new Error(`${who} has ${unknown.join(', ')}, which api ${PLUGIN_API} does not know`);
  if (others.some((other) => other.name === name)) throw new Error(`another plug-in is named ${name}`);
  for (const list of PLUGIN_LISTS) requireEntries(who, list, memberOf(exported, list) ?? [], others);
  requireSettings(who, memberOf(exported, 'settings') ?? {});
  return exported as Plugin;
}

const MEMBERS: readonly string[] = ['name', 'version', 'api', 'prefix', 'settings', 'check', ...PLUGIN_LISTS];

function requireEntries(who: string, list: PluginList, entries: unknown, others: readonly Plugin[]) {
  if (!Array.isArray(entries)) throw new Error(`${list} of ${who} is no list`);
  const taken = others.flatMap((other) => (other[list] ?? []).map(({ name }) => name));
  for (const entry of entries) {
    const name = isJsonObject(entry) ? entry.name : undefined;
    if (!isJsonObject(entry) || typeof name !== 'string' || !NAME.test(name) || RESERVED.includes(name))
      throw new Error(`each of ${list} of ${who} needs a name of its own, such as acme`);
    if (typeof entry.open !== 'function') throw new Error(`${name} in ${list} of ${who} has no function open`);
    if (taken.includes(name)) throw new Error(`${list} have another ${name}, beside that of ${who}`);
    taken.push(name);
  }
}

const RESERVED: readonly string[] = ['none', 'built-in', 'off'];

function requireSettings(who: string, settings: unknown): void {
  if (!isJsonObject(settings)) throw new Error(`settings of ${who} is no object`);
  for (const [key, setting] of Object.entries(settings)) {
    const isSetting =
      /^[a-z][A-Za-z0-9]*$/.test(key) &&
      isJsonObject(setting) &&
      typeof setting.expected === 'string' &&
      ['undefined', 'function'].includes(typeof setting.parse);
    if (!isSetting) throw new Error(`the setting ${key} of ${who} needs a camelCase name and the text expected`);
  }
}
