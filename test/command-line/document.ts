import type { Command } from 'commander';
import { EXAMPLES } from './examples.ts';

export type ShownCommand = { name: string; command: Command };

/** Every executable command, in the order of the help. */
export function shownCommands(program: Command, path: readonly string[] = []): ShownCommand[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const names = [...path, command.name()];
      return command.commands.length > 0 ? shownCommands(command, names) : [{ name: names.join(' '), command }];
    });
}

/** docs/command-line.md, generated from the commands themselves by `npm run generate`. */
export function commandLineDocument(program: Command): string {
  const sections = shownCommands(program).map(sectionOf);
  return `${INTRODUCTION}\n${sections.join('\n')}`;
}

const INTRODUCTION = `# The command line

Every command of \`doorstep\`, from its own help (\`npm run generate\` writes this page, and a test fails where it differs from the commands). In a clone it is \`npx doorstep …\`.

- \`--help\` explains a command. \`--json\` answers with [one JSON document](command-output.md#command-line-answers) on standard output; what is told beside the answer goes to standard error. [Command output](command-output.md) has the exit statuses.
- Settings come from the environment, from \`.env\` in the working folder, and from \`--env-file FILE\`, which every command takes, before or after its name, any number of times: [which one wins](configuration.md#settings).
- Commands that manage a service open its database: that of \`DATABASE_URL\`, else the embedded one of \`DATA_DIR\`. They work beside a running service. With an [operator's key](operator-dashboard.md) as \`DOORSTEP_KEY\` they speak to the service of \`DOORSTEP_URL\` instead and need no database; \`import\`, \`backup\` and the like always open it. Every change is in [the history](operator-dashboard.md#roles). Where there is no database they say so and end with status 2: \`demo\`, \`serve\`, \`migrate\` and \`restore\` alone [make one](database.md).
- \`listen\`, \`trigger\` and \`logs tail\` speak to a service over HTTP, in the name of an account: of \`DOORSTEP_URL\` and \`DOORSTEP_KEY\` (or \`--url\`, and \`--key-file\` for a file with the key), else of the demo on this machine, whatever its port. No command takes a key or secret as an argument, because every user of the machine can list those of its processes.
`;

function sectionOf({ name, command }: ShownCommand): string {
  const example = EXAMPLES[name];
  if (example === undefined)
    throw new Error(`Write an example of \`doorstep ${name}\` in test/command-line/examples.ts.`);
  const help = command.createHelp();
  const usage = `doorstep ${name} ${command.usage().replace('[options] ', '').replace('[options]', '')}`.trim();
  const terms = [
    ...help.visibleArguments(command).map((argument) => [argument.name(), help.argumentDescription(argument)]),
    ...help.visibleOptions(command).map((option) => [option.flags, help.optionDescription(option)]),
  ].filter(([term]) => term !== '-h, --help');
  const rows = terms.map(([term = '', text = '']) => `| \`${cell(term)}\` | ${cell(text)} |`);
  return `## \`${usage}\`
${command.description()}

\`\`\`
${example}
\`\`\`

| argument or option | |
|---|---|
${rows.join('\n')}
`;
}

/** Escapes angle brackets and vertical bars for a Markdown table cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
