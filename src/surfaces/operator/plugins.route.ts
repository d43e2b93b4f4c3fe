import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import { PLUGIN_LISTS } from '../../platform/config/plugin-settings.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { procedure } from './procedure.ts';

/** The loaded plug-ins, as `doorstep plugins` prints them (docs/plugins.md). */

const PluginSchema = component('LoadedPlugin', 'A plug-in that the service was started with.', {
  name: Type.String(),
  version: Type.String(),
  api: Type.Integer({ description: 'The version of the interface that it is written for.' }),
  configured: Type.Boolean({ description: 'Whether it has its required settings.' }),
  offers: Type.Array(
    Type.Object({
      list: Type.Enum([...PLUGIN_LISTS], { description: 'The port that it fills.' }),
      name: Type.String({ description: 'By which it is chosen.' }),
      chosen: orNull(Type.Boolean(), 'Whether a setting chooses it; null where stores, commands or requests do.'),
    }),
  ),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The environment variable that it is read from.' }),
      expected: Type.String({ description: 'What a value must be.' }),
      state: Type.Enum(['set', 'missing', 'default'], { description: '`default`: optional, and not set.' }),
    }),
    { description: 'Without their values, which may be secrets.' },
  ),
});

export const listPluginsProcedure = procedure({
  endpoint: 'GET /operator/plugins',
  role: 'viewer',
  summary: 'Plug-ins, the ports that they fill, and their settings',
  description:
    'The plug-ins of this node in the sequence in which they are loaded, our own first. No value of a setting is shown.',
  answer: describedObject('All of them.', { plugins: Type.Array(PluginSchema) }),
  run: async ({ config }: { config: Config }) => ({ plugins: [...config.loadedPlugins] }),
});
