import { Command } from 'commander';
import type { PluginOffer } from '../../platform/config/plugin-settings.ts';
import { PLUGIN_LISTS, type Plugin } from '../adapters/plugin.ts';
import { loadSettings, type ServiceConfig } from '../wiring/read-settings.ts';
import { alignedTable, answer, type OutputOptions } from './output.ts';

/** `doorstep plugins`: what is loaded, what it offers, and what is chosen. */
export function pluginsCommand(): Command {
  return new Command('plugins')
    .option(
      '--json',
      'print one JSON document: { plugins: [{ name, version, api, configured, offers: [{ list, name, chosen }] }] }',
    )
    .action(async (options: OutputOptions) => {
      const config = await loadSettings(process.env);
      const plugins = config.plugins.all.map((plugin) => shown(config, plugin));
      const rows = plugins.flatMap(({ name, version, configured, offers }) =>
        offers.map((offer) => [name, version, offer.list, offer.name, stateOf(configured, offer.chosen)]),
      );
      answer(options, { plugins }, alignedTable(['PLUG-IN', 'VERSION', 'LIST', 'NAME', 'STATE'], rows));
    });
}

function shown(config: ServiceConfig, plugin: Plugin) {
  const { name, version, api } = plugin;
  const configured = config.pluginSettings.has(name);
  const offers = PLUGIN_LISTS.flatMap((list) =>
    (plugin[list] ?? []).map((entry) => ({ list, name: entry.name, chosen: chosenOf(config, list, entry.name) })),
  );
  return { name, version, api, configured, offers };
}

/** Whether a setting chooses it; null for what stores and commands choose. */
function chosenOf(config: ServiceConfig, list: (typeof PLUGIN_LISTS)[number], name: string): boolean | null {
  const chosen: Partial<Record<keyof PluginOffer, string | undefined>> = {
    gateways: config.paymentGateway,
    taxes: config.taxService,
    geocoders: config.geocoder?.name,
    directories: config.placeDirectory,
    photos: config.photoBucket,
    mailers: config.mailer,
    sms: config.smsSender,
    tracers: config.tracer,
  };
  return list in chosen ? chosen[list as keyof PluginOffer] === name : null;
}

function stateOf(configured: boolean, chosen: boolean | null): string {
  if (!configured) return 'lacks its settings';
  if (chosen === null) return 'ready';
  return chosen ? 'chosen' : 'not chosen';
}
