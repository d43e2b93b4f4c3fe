import { Command, Option } from 'commander';
import type { Role } from '../wiring/service-options.ts';
import { answer, type OutputOptions } from './output.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service until a signal (Ctrl-C) ends it.')
    .addOption(
      new Option('--role <role>', 'api: answer requests; worker: run background tasks; all: both')
        .choices(['all', 'api', 'worker'])
        .default('all'),
    )
    .option('--json', 'when ready, answer with one JSON document: { url, role }')
    .action(async (options: OutputOptions & { role: Role }) => {
      const { runService } = await import('./run-service.ts');
      await runService({
        role: options.role,
        prepare: async () => {},
        announce: (url) => {
          const text = url ? `Doorstep answers on ${url}` : 'Doorstep runs background tasks.';
          answer(options, { url: url ?? null, role: options.role }, text);
        },
      });
    });
}
