import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand, startProgram } from '../../../test/given/command.ts';
import { commandTree, completionScript, SHELLS } from './completion.ts';
import { createProgram } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-completion-'));
after(() => rmSync(folder, { recursive: true }));

const nodes = commandTree(await createProgram());
const has = async (program: string) =>
  (await startProgram('sh', ['-c', `command -v ${program}`], {}).finished).status === 0;

/** Bash's completions of each line, with the cursor at its end. */
async function offered(lines: readonly string[]): Promise<string[][]> {
  const file = join(folder, 'doorstep.bash');
  writeFileSync(file, completionScript('bash', nodes));
  const ask = `set -u; source "$1"; shift
    for line in "$@"; do
      read -ra COMP_WORDS <<< "$line"
      [[ "$line" == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
      _doorstep
      echo "\${COMPREPLY[*]-}"
    done`;
  const { status, stdout, stderr } = await startProgram('bash', ['-c', ask, 'bash', file, ...lines], {}).finished;
  assert.deepEqual([status, stderr], [0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

test("bash completes commander's commands, options and listed values, also after a value and an argument", async () => {
  const cases: readonly [line: string, words: readonly string[]][] = [
    ['doorstep se', ['serve']],
    ['doorstep orders a', ['advance']],
    ['doorstep orders advance ord_1 pick', ['pick_up']],
    ['doorstep serve --role ', ['all', 'api', 'worker']],
    ['doorstep serve --role api --wo', ['--workers']],
    ['doorstep serve --workers list --js', ['--json']],
    ['doorstep import --format g', ['google-food']],
    ['doorstep import menu', []],
    ['doorstep trigger order.dr', ['order.driver_assigned', 'order.driver_nearby']],
    ['doorstep listen --forward-to ', []],
    ['doorstep help ke', []],
    ['doorstep keys cr', ['create']],
    ['doorstep keys create --account acc_1 --l', ['--live']],
    ['doorstep completion ', ['bash', 'zsh', 'fish']],
    ['doorstep --v', ['--version']],
    ['doorstep lost ', nodes[0]?.commands.map(({ name }) => name) ?? []],
  ];
  assert.deepEqual(
    await offered(cases.map(([line]) => line)),
    cases.map(([, words]) => [...words]),
  );
});

test('every command, option and listed value of the program is offered where it belongs', async () => {
  const lines = nodes.flatMap(({ path }) => [
    ['doorstep', ...path, ''],
    ['doorstep', ...path, '-'],
  ]);
  const answers = await offered(lines.map((words) => words.join(' ')));
  for (const [n, node] of nodes.entries()) {
    const name = node.path.join(' ');
    assert.deepEqual(answers[2 * n], [...node.commands.map((one) => one.name), ...node.values], name);
    assert.deepEqual(
      answers[2 * n + 1],
      node.options.flatMap(({ flags }) => flags),
      name,
    );
  }
  const commands = nodes.filter(({ path }) => path.at(-1) !== 'help');
  assert.ok(
    commands.length > 45 && commands.every(({ options }) => options.some(({ flags }) => flags.includes('--help'))),
  );
});

for (const shell of SHELLS) {
  test(`the script of ${shell} names every command, and ${shell} takes it`, async (t) => {
    const { status, stdout, stderr } = await runCommand(['completion', shell], {});
    assert.deepEqual([status, stderr, stdout], [0, '', completionScript(shell, nodes)]);
    for (const { path } of nodes)
      assert.ok(stdout.includes(`'${path.join(' ')}'`) || path.length === 0, path.join(' '));
    if (!(await has(shell))) return t.skip(`${shell} is not installed: its syntax is not checked here`);
    const file = join(folder, `doorstep.${shell}`);
    writeFileSync(file, stdout);
    const checked = await startProgram(shell, [shell === 'fish' ? '--no-execute' : '-n', file], {}).finished;
    assert.deepEqual([checked.status, checked.stderr], [0, '']);
  });
}
