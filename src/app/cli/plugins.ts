import { Command } from 'commander';
import { loadSettings } from '../wiring/read-settings.ts';
import { alignedTable, answer, type OutputOptions } from './output.ts';

/** `doorstep plugins`: lists loaded plug-ins, their offers, and the chosen ones. */
export function pluginsCommand(): Command {
  return new Command('plugins')
    .option(
      '--json',
      'print one JSON document: { plugins: [{ name, version, api, configured, offers: [{ list, name, chosen }], settings: [{ name, expected, state }] }] }',
    )
    .action(async (options: OutputOptions) => {
      const { loadedPlugins: plugins } = await loadSettings(process.env);
      const rows = plugins.flatMap(({ name, version, configured, offers }) =>
        offers.map((offer) => [name, version, offer.list, offer.name, stateOf(configured, offer.chosen)]),
      );
      answer(options, { plugins }, alignedTable(['PLUG-IN', 'VERSION', 'LIST', 'NAME', 'STATE'], rows));
    });
}

function stateOf(configured: boolean, chosen: boolean | null): string {
  if (!configured) return 'lacks its settings';
  if (chosen === null) return 'ready';
  return chosen ? 'chosen' : 'not chosen';
}
