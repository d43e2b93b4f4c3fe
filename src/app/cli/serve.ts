import { Command, Option } from 'commander';
import { MAX_WORKERS } from '../../platform/config/config.ts';
import { BUILD, BUILD_COMMIT, VERSION } from '../../platform/lib/build-info.ts';
import { loadSettings } from '../wiring/read-settings.ts';
import type { Role } from '../wiring/service-options.ts';
import { parseWholeTo } from './arguments.ts';
import { answer, type OutputOptions } from './output.ts';

type ServeOptions = OutputOptions & { role: Role; workers?: number };

export function serveCommand(): Command {
  return new Command('serve')
    .addOption(
      new Option('--role <role>', 'api: answer requests; worker: run background tasks; all: both')
        .choices(['all', 'api', 'worker'])
        .default('all'),
    )
    .option(
      '--workers <number>',
      'number of worker threads that share the port; overrides WORKERS',
      parseWholeTo(1, MAX_WORKERS, 'a whole number'),
    )
    .option('--json', 'when ready, print one JSON document: { url, role, workers, version, commit }')
    .action(async (options: ServeOptions) => {
      const config = await loadSettings(process.env);
      const { role, workers = config.workers } = options;
      const announce = (url: string | undefined) => {
        const details = `(version ${BUILD}${workers === 1 ? '' : `, ${workers} workers`})`;
        const text = url
          ? `Doorstep is ready at ${url} ${details}`
          : `Doorstep is running background tasks ${details}.`;
        answer(options, { url: url ?? null, role, workers, version: VERSION, commit: BUILD_COMMIT }, text);
      };
      if (workers > 1) {
        const { runWorkers } = await import('./workers/run-workers.ts');
        await runWorkers({ role, workers, announce });
        return;
      }
      const { runService } = await import('./run-service.ts');
      await runService({ role, prepare: async () => {}, announce });
    });
}
