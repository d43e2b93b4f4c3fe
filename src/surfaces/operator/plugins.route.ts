import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Config } from '../../platform/config/config.ts';
import { PLUGIN_LISTS } from '../../platform/config/plugin-settings.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';

/** The loaded plug-ins, as `doorstep plugins` prints them (docs/plugins.md). */

const PluginSchema = component('LoadedPlugin', 'A plug-in loaded by the service.', {
  name: Type.String(),
  version: Type.String(),
  api: Type.Integer({ description: "The interface version that it's written for." }),
  configured: Type.Boolean({ description: 'Whether its required settings are set.' }),
  offers: Type.Array(
    Type.Object({
      list: Type.Enum([...PLUGIN_LISTS], { description: 'The port that it implements.' }),
      name: Type.String({ description: 'The name used to select it.' }),
      chosen: orNull(Type.Boolean(), 'Whether a setting selects it. Null if stores, commands or requests do.'),
    }),
  ),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The environment variable that sets it.' }),
      expected: Type.String({ description: 'The rule for valid values.' }),
      state: Type.Enum(['set', 'missing', 'default'], { description: '`default`: optional and not set.' }),
    }),
    { description: 'The settings without their values, which may be secrets.' },
  ),
});

export const listPluginsOperation = operation({
  endpoint: 'GET /plugins',
  summary: 'List plug-ins, their ports and their settings',
  description:
    "Lists this node's plug-ins in loading order, with built-in plug-ins first. Settings' values aren't shown.",
  answer: describedObject('All plug-ins.', { plugins: Type.Array(PluginSchema) }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ config }: { config: Config }) => ({ plugins: [...config.loadedPlugins] }));
