import { Command } from 'commander';
import { listDutiesProcedure } from '../../surfaces/operator/duties.route.ts';
import { withManagement } from './manage.ts';
import { answer, type OutputOptions } from './output.ts';

export function dutiesCommand(): Command {
  return new Command('duties')
    .description(
      'Show what a marketplace must do in a state or province, compared with the settings and live stores of this service. No legal advice.',
    )
    .option('--state <code>', 'a state or province, with its country and cities, such as CA or QC; all without it')
    .option(
      '--json',
      'print one JSON document: { duties: [{ place, topic, due, since, source, doorstep, to_set, left_to_you, finding }] }',
    )
    .action(async ({ state, ...options }: OutputOptions & { state?: string }) => {
      const query = state === undefined ? {} : { state };
      const { duties } = await withManagement((manage) => manage(listDutiesProcedure, { query }));
      const parts = duties.map(({ place, topic, due, since, source, to_set, left_to_you, finding }) =>
        [
          `${place}, ${topic}${finding === null ? '' : ': LOOK'}`,
          `  ${due}.`,
          ...(finding === null ? [] : [`  This service: ${finding}`]),
          `  Set: ${to_set}`,
          `  Yours: ${left_to_you}`,
          `  ${source.title}, ${source.section}${since === null ? '' : `, ${since}`}${source.is_read ? '' : ' (not read)'}`,
          `  ${source.url}`,
        ].join('\n'),
      );
      answer(options, { duties }, parts.length === 0 ? `No duties of ${state} are known.` : parts.join('\n\n'));
    });
}
