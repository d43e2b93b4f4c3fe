import { Argument, Command } from 'commander';
import { answer, type OutputOptions } from '../output.ts';
import { commandTree } from './command-tree.ts';
import { completionScript, HOW_TO, SHELLS, type Shell } from './shell-scripts.ts';

/** `doorstep completion SHELL`: a script made from the commands themselves. `loadProgram` has every command. */
export function completionCommand(loadProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .description('Write a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', `\nTo switch it on:\n${SHELLS.map((shell) => `  ${HOW_TO[shell].slice(2)}`).join('\n')}`)
    .option('--json', 'answer with one JSON document: { shell, script }')
    .action(async (shell: Shell, options: OutputOptions) => {
      const script = completionScript(shell, commandTree(await loadProgram()));
      answer(options, { shell, script }, script.trimEnd());
    });
}
