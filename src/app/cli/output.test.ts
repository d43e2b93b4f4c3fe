import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { alignedTable, terminalText } from './output.ts';

test('only src/app/cli/end-process.ts ends the process of a command, and every command ends through it', () => {
  const root = join(import.meta.dirname, '../../..');
  const readText = (file: string) => readFileSync(join(root, file), 'utf8');
  const sources = globSync(['bin/*', 'src/**/*.ts'], { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const ending = sources.filter((file) => /process\.(exit|reallyExit|abort)\(/.test(readText(file)));
  // A worker and the reader of photos run apart and are not commands.
  const ownProcesses = ['src/app/cli/workers/worker-thread.ts', 'src/supply/photos/photo-process.flow.ts'];
  assert.deepEqual(ending.sort(), ['src/app/cli/end-process.ts', 'src/app/cli/interruption.ts', ...ownProcesses]);
  const functionBody = (name: string) =>
    new RegExp(`export async function ${name}\\(.*?\\{\\n(.*?)\\n\\}\\n`, 's').exec(
      readText('src/app/cli/main.ts'),
    )?.[1] ?? '';
  assert.match(functionBody('main'), /await runCommandLine\(args\);\n {2}await endProcess\(\);$/s);
  assert.match(functionBody('runCommandLine'), /parseAsync/);
});

test('text for a terminal has no control character of a customer or an outside party', () => {
  const [title, csi] = ['\u001b]0;renamed\u0007', '\u009b31m'];
  assert.equal(terminalText(`${title}one\r\n${csi}two\n`), ']0;renamedone\n31mtwo\n');
  assert.equal(terminalText('a\u202eb\u2066c\u200f'), 'abc');
  assert.equal(alignedTable(['to', 'n'], [[`a${title}\n@b.co`, '1']]), 'to                n\na]0;renamed@b.co  1');
});
