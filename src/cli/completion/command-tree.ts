import type { Command, Option } from 'commander';

/** An option of a command as a shell completes it. */
export type CompletedOption = {
  /** `--role`, and `-r` where there is one. */
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  /** The only values, where the option has such a list. */
  values: readonly string[];
};

/** A command, and what may follow its name. */
export type CommandNode = {
  /** The names that lead to the command, without the program's: `['orders', 'list']`. */
  path: readonly string[];
  commands: readonly { name: string; description: string }[];
  options: readonly CompletedOption[];
  /** The only values of its arguments, where they have such a list. */
  values: readonly string[];
};

/** A word that each shell takes as it is. */
const SAFE = /^[\w.,:@%+/-]+$/;

/** The program and every command below it, as commander itself knows them; hidden commands and options are left out. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((one) => SAFE.test(one.name()));
  const node: CommandNode = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: help.visibleOptions(command).map(optionOf),
    values: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []).filter(isSafe),
  };
  return [node, ...commands.flatMap((one) => commandTree(one, [...path, one.name()]))];
}

function optionOf({ short, long, description, required, optional, argChoices }: Option): CompletedOption {
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

/** Every option that takes a value, by the words that lead to it: `orders list --status`. */
export function valuedOptions(nodes: readonly CommandNode[]): { words: string; values: readonly string[] }[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, values }) => flags.map((flag) => ({ words: [...path, flag].join(' '), values }))),
  );
}
