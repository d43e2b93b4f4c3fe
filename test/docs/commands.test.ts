import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../src/app/cli/main.ts';
import { textOf } from '../source-files.ts';
import { blocksOf, DOCUMENTS } from './doc-blocks.ts';

/** Commands of `doorstep` in the documents: in blocks, which readers paste, and in the text around them. */

/** A line that runs a command, optionally with settings before its name. */
const COMMAND = /^(\$ )?([A-Z_]+=\S+ )*(npx )?doorstep /;
/** Sets `$BASE`, or links to the block that sets it. */
const SET = /^BASE=|first block of Integrating\]\(integrating\.md\)/m;
const INLINE = /`([^`\n]+)`/g;

const program = await createProgram();

const linesOf = (file: string) => blocksOf(file).flatMap(({ text }) => text.replace(/\\\n\s*/g, ' ').split('\n'));
const proseOf = (file: string) => textOf(file).replace(/^```[\s\S]*?^```$/gm, '');
const spansOf = (file: string) => Array.from(proseOf(file).matchAll(INLINE), ([, span = '']) => span);

/** The command that a line names; the program itself where it names none. */
function commandOf(line: string): Command {
  let command = program;
  for (const word of line.replace(COMMAND, '').split(/\s+/)) {
    const found = command.commands.find((one) => one.name() === word);
    if (!found) break;
    command = found;
  }
  return command;
}

const optionsIn = (line: string) => line.replace(/\s#.*$/, '').match(/(?<=\s)--[a-z]\S*/g) ?? [];
const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
/** Options before every command; the last two are the library's. */
const OF_EVERY = ['--env-file', '--plugin', '--help', '--version'];
const has = (command: Command, option: string) =>
  OF_EVERY.includes(option) ||
  withAll(command).some(({ options }) => options.some(({ long }) => long === option.replace(/=.*/, '')));

test('every command that a document names is one of doorstep, with the options that it names', () => {
  const faults: string[] = [];
  for (const file of DOCUMENTS) {
    for (const line of [...linesOf(file), ...spansOf(file)].filter((one) => COMMAND.test(one))) {
      const command = commandOf(line);
      const isNamed = command !== program || /doorstep (--version|…)$/.test(line);
      const isWhole = isNamed && optionsIn(line).every((option) => has(command, option));
      if (!isWhole) faults.push(`${file}: ${line}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('a page whose commands use $BASE or $KEY sets them, or links to the page that does', () => {
  const unset = (file: string) => linesOf(file).some((line) => /\$(BASE|KEY)\b/.test(line)) && !SET.test(textOf(file));
  assert.deepEqual(DOCUMENTS.filter(unset), []);
});

/** Options of other programs that the documents name. */
const OTHERS = /^--(omit|delta|type|target|target-action|pgdata|region|maxzoom|lang|before|repository|dry-run)\b/;

test('an option that a document names by itself is of a command of doorstep, or of another program', () => {
  const faults = DOCUMENTS.flatMap((file) =>
    spansOf(file)
      .filter((span) => span.startsWith('--') && !OTHERS.test(span))
      .filter((span) => !optionsIn(span).every((option) => has(program, option)))
      .map((span) => `${file}: ${span}`),
  );
  assert.deepEqual(faults, []);
});
