import { Argument, Command, type Option } from 'commander';
import { answer, type OutputOptions } from './output.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** How to enable completion, now and in later shells. */
export const INSTALL_HINTS: Readonly<Record<Shell, string>> = {
  bash: '# source <(doorstep completion bash)            # this shell; or into ~/.local/share/bash-completion/completions/doorstep',
  zsh: '# doorstep completion zsh > ~/.zfunc/_doorstep      # with fpath+=(~/.zfunc) before compinit',
  fish: '# doorstep completion fish > ~/.config/fish/completions/doorstep.fish',
};

/**
 * `doorstep completion SHELL`: prints a script that is generated from the commands. `loadProgram` returns the program
 * with all commands.
 */
export function completionCommand(loadProgram: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `\nTo switch it on:\n${SHELLS.map((shell) => `  ${INSTALL_HINTS[shell].slice(2)}`).join('\n')}`,
    )
    .option('--json', 'print one JSON document: { shell, script }')
    .action(async (shell: Shell, options: OutputOptions) => {
      const script = completionScript(shell, commandTree(await loadProgram()));
      answer(options, { shell, script }, script.trimEnd());
    });
}

/** An option of a command. */
type CompletedOption = {
  /** `--role`, and `-r` if there is one. */
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  /** Allowed values, if listed. */
  values: readonly string[];
};

/** A command and its completions. */
type CommandNode = {
  /** The command path without the program's name: `['orders', 'list']`. */
  path: readonly string[];
  commands: readonly { name: string; description: string }[];
  options: readonly CompletedOption[];
  /** Allowed values of its arguments, if listed. */
  values: readonly string[];
};

/** Matches words that need no quoting in any of the shells. */
const SAFE = /^[\w.,:@%+/-]+$/;

/** The program with all its commands, read from commander, except hidden ones. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => SAFE.test(one.name()));
  const node: CommandNode = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command).map(completedOption),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []).filter(isSafe),
  };
  return [node, ...commands.flatMap((one) => commandTree(one, [...path, one.name()]))];
}

function completedOption({ short, long, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    flags: [long, short].filter((flag) => flag !== undefined),
    description,
    takesValue: required || optional,
    values: (argChoices ?? []).filter(isSafe),
  };
}

function isSafe(word: string): boolean {
  return SAFE.test(word);
}

/** Every option with a value, by its path: `orders list --status`. */
function valuedOptions(nodes: readonly CommandNode[]): { words: string; values: readonly string[] }[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, values }) => flags.map((flag) => ({ words: [...path, flag].join(' '), values }))),
  );
}

/** A script that completes a program's commands, options and listed values in a shell. */
export function completionScript(shell: Shell, nodes: readonly CommandNode[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes);
}

/** `-o default` completes files where nothing is offered. */
function bashScript(nodes: readonly CommandNode[]): string {
  return `${INSTALL_HINTS.bash}
${walkingFunction(nodes, { words: 'COMP_WORDS', cursor: 'COMP_CWORD', first: 1 })}
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}
complete -o default -F _doorstep doorstep
`;
}

function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef doorstep
${INSTALL_HINTS.zsh}
${walkingFunction(nodes, { words: 'words', cursor: 'CURRENT', first: 2 })}
  if [[ -n "$offered" ]]; then compadd -- \${=offered}; else _files; fi
}
if [ "$funcstack[1]" = "_doorstep" ]; then _doorstep "$@"; else compdef _doorstep doorstep; fi
`;
}

/**
 * The function of bash and zsh, without its end: walks the words before the cursor to a command, skipping option values
 * and arguments, and puts the words that fit into `offered`.
 */
function walkingFunction(
  nodes: readonly CommandNode[],
  { words, cursor, first }: { words: string; cursor: string; first: number },
): string {
  return `_doorstep() {
  local cur="\${${words}[${cursor}]}" command='' word='' option='' offered='' n
  for ((n = ${first}; n < ${cursor}; n++)); do
    word="\${${words}[n]}" option=''
    case "\${command:+$command }$word" in
${commandWalk(nodes)}
    esac
  done
  if ((n > ${cursor})); then
    case "$option" in
${optionValues(nodes)}
    esac
  else
    case "$command" in
${commandCompletions(nodes)}
    esac
  fi`;
}

/** Branches of a \`case\` over the command path and the next word. */
function commandWalk(nodes: readonly CommandNode[]): string {
  const commands = nodes.filter(({ path }) => path.length > 0).map(({ path }) => shellQuote(path.join(' ')));
  const valued = valuedOptions(nodes).map(({ words }) => shellQuote(words));
  return [
    `      ${commands.join(' | ')}) command="\${command:+$command }$word" ;;`,
    `      ${valued.join(' | ')}) option="\${command:+$command }$word"; n=$((n + 1)) ;;`,
  ].join('\n');
}

function optionValues(nodes: readonly CommandNode[]): string {
  const listed = valuedOptions(nodes).filter(({ values }) => values.length > 0);
  return listed
    .map(({ words, values }) => `      ${shellQuote(words)}) offered=${shellQuote(values.join(' '))} ;;`)
    .join('\n');
}

/** Completions per command: options after a hyphen, else subcommands and argument values. */
function commandCompletions(nodes: readonly CommandNode[]): string {
  return nodes
    .map(({ path, commands, options, values }) => {
      const words = [...commands.map(({ name }) => name), ...values].join(' ');
      const flags = options.flatMap((option) => option.flags).join(' ');
      return `      ${shellQuote(path.join(' '))}) if [[ "$cur" == -* ]]; then offered=${shellQuote(flags)}; else offered=${shellQuote(words)}; fi ;;`;
    })
    .join('\n');
}

function fishScript(nodes: readonly CommandNode[]): string {
  const commands = nodes.filter(({ path }) => path.length > 0).map(({ path }) => fishText(path.join(' ')));
  const valued = valuedOptions(nodes).map(({ words }) => fishText(words));
  return `${INSTALL_HINTS.fish}
function __doorstep_at
    set -l command ''
    set -l skips 0
    for word in (commandline -opc)[2..-1]
        if test $skips = 1
            set skips 0
            continue
        end
        set -l words (string trim -- "$command $word")
        switch $words
            case ${commands.join(' ')}
                set command $words
            case ${valued.join(' ')}
                set skips 1
        end
    end
    test "$command" = "$argv[1]"
end
${nodes.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ path, commands, options, values }: CommandNode): string[] {
  const at = `complete -c doorstep -n ${fishText(`__doorstep_at ${fishText(path.join(' '))}`)}`;
  return [
    ...commands.map(({ name, description }) => `${at} -f -a ${fishText(name)} -d ${fishText(description)}`),
    ...(values.length > 0 ? [`${at} -f -a ${fishText(values.join(' '))}`] : []),
    ...options.map((option) => {
      const names = option.flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const listed = option.values.length > 0 ? ` -x -a ${fishText(option.values.join(' '))}` : ' -r';
      return `${at} ${names.join(' ')}${option.takesValue ? listed : ' -f'} -d ${fishText(option.description)}`;
    }),
  ];
}

function shellQuote(text: string): string {
  return `'${text}'`;
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
