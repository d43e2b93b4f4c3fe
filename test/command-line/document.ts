import type { Command } from 'commander';
import examples from './examples.json' with { type: 'json' };

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

This page lists every command of \`doorstep\`, from its own help. In a clone, write \`npx doorstep\` for \`doorstep\`. With \`--json\`, standard output is [one JSON document](command-output.md#command-line-answers), and everything else goes to standard error. [Command output](command-output.md) lists the exit statuses.

- **Settings** come from the environment, from \`.env\` in the working folder, and from \`--env-file FILE\`. Every command takes \`--env-file\` before or after its name, any number of times ([which value wins](configuration.md#settings)).
- **Commands that manage a service** open its database: the one in \`DATABASE_URL\`, otherwise the embedded one in \`DATA_DIR\`. You can run them while the service runs. [The history](operator-dashboard.md#roles) records every change.
- **From another machine**: with an [operator's key](operator-dashboard.md) as \`DOORSTEP_KEY\`, these commands send requests to the service at \`DOORSTEP_URL\` and need no database. \`import\`, \`backup\` and a few others always open the database. Without one, they exit with status 2. Only \`demo\`, \`serve\`, \`migrate\` and \`restore\` [create one](database.md).
- **Commands for an account**: \`listen\`, \`trigger\` and \`logs tail\` send requests with an account's key. They read \`DOORSTEP_URL\` and \`DOORSTEP_KEY\`, or \`--url\` and \`--key-file\`. Otherwise they use the demo on this machine, at any port. No command takes a secret as an argument, because every user of the machine can list them.
`;

function sectionOf({ name, command }: ShownCommand): string {
  const example = (examples as Readonly<Record<string, string>>)[name];
  if (example === undefined)
    throw new Error(`Write an example of \`doorstep ${name}\` in test/command-line/examples.json.`);
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
