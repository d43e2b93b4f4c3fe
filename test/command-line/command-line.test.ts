import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createProgram } from '../../src/app/cli/main.ts';
import { ALL } from '../../src/app/cli/operation-command.ts';
import { commandLineDocument, shownCommands } from './document.ts';
import examples from './examples.json' with { type: 'json' };

const program = await createProgram();
const commands = shownCommands(program);

test('docs/command-line.md equals the commands’ own help: npm run generate', () => {
  const written = readFileSync(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
  assert.equal(written, commandLineDocument(program));
});

test('a command of several operations describes them in one sentence', () => {
  for (const { name, command } of commands)
    for (const { summary } of ALL) assert.ok(!command.description().includes(`${summary}. `), name);
});

test('no command takes a key, secret or password as an argument, which every user of the machine could list', () => {
  const options = commands.flatMap(({ command }) => command.options.map(({ flags }) => flags));
  assert.deepEqual(
    options.filter((flags) => /--[a-z-]*(key|secret|token|password) <(?!n\|)/.test(flags)),
    [],
  );
});

test('each command has an example that commander accepts unchanged, and no example is of another command', () => {
  assert.deepEqual(Object.keys(examples).sort(), commands.map(({ name }) => name).sort());
  for (const { name, command } of commands) {
    const line = (examples as Readonly<Record<string, string>>)[name] ?? '';
    const words = (/^(?:[A-Z_]+=\S+ )*npx doorstep (.*)$/.exec(line)?.[1] ?? '').match(/"[^"]*"|\S+/g) ?? [];
    const plain = words.map((word) => word.replace(/^"|"$/g, ''));
    assert.deepEqual(plain.slice(0, name.split(' ').length), name.split(' '), line);
    const { operands, unknown } = command.parseOptions(plain.slice(name.split(' ').length));
    assert.deepEqual(unknown, [], line);
    const { registeredArguments: known } = command;
    assert.ok(operands.length >= known.filter(({ required }) => required).length, line);
    assert.ok(operands.length <= known.length || known.at(-1)?.variadic, line);
    for (const [n, argument] of known.entries()) {
      const operand = operands[n];
      if (operand !== undefined && argument.argChoices) assert.ok(argument.argChoices.includes(operand), line);
    }
  }
});
