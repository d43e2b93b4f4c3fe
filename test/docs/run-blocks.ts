import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOORSTEP, type Env, freePort, givenDatabase, startProgram } from '../given/command.ts';
import { ROOT } from '../source-files.ts';
import type { Block } from './doc-blocks.ts';

/** A program in a document is saved under the name in its first line. */
const NAMED = /^(?:\/\/|#) ([\w-]+\.(?:m?js|py))\n/;
const MARK = '@@block ';
/** Longer than the shells of all pages; ends a hanging run and is not an assertion of speed. */
const LONGEST_MS = 20 * 60_000;

export type Reader = {
  /** The service's startup output. */
  said: string;
  /** Pastes the blocks into one shell in order; returns each block's output. */
  paste(blocks: readonly Block[]): Promise<string[]>;
  /** A document's text with the key, address and ports of this run. */
  seen(text: string): string;
  close(): Promise<void>;
};

/** A reader with a running demo and their own folder. The service is what `npm start` runs. */
export async function givenReader(): Promise<Reader> {
  const database = await givenDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-reader-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const [port, receiverPort] = [await freePort(), await freePort()];
  const settings = { PORT: port, SANDBOX_PACE: '1', WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'error' };
  const demo = startProgram(
    process.execPath,
    [DOORSTEP, 'demo'],
    { ...database.env, ...settings },
    { timeout: LONGEST_MS },
  );
  let said = '';
  demo.child.stdout.on('data', (text) => {
    said += text;
  });
  await demo.printed(/Ctrl-C stops it/);
  const [key = ''] = /ds_test_[\w-]+/.exec(said) ?? [];
  const seen = (text: string) =>
    text
      .replaceAll('<API_KEY>', key)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replaceAll('https://api.example.com/doorstep', `http://127.0.0.1:${receiverPort}/`)
      .replace(/\b9090\b/g, receiverPort)
      .replaceAll('/tmp/', `${folder}/`);
  const env: Env = { ...database.env, LOG_LEVEL: 'error' };
  return {
    said,
    seen,
    paste: (blocks) => paste(folder, seen, env, blocks),
    async close() {
      demo.child.kill('SIGTERM');
      await demo.finished;
      await database.drop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function paste(
  folder: string,
  seen: (text: string) => string,
  env: Env,
  blocks: readonly Block[],
): Promise<string[]> {
  const script = blocks.map((block, n) => `printf '\\n${MARK}%s\\n' ${n}\n${saved(folder, seen(block.text))}`);
  const file = join(folder, 'pasted.sh');
  // Makes `npx doorstep` run the clone, and sets the reader's folder.
  const prelude = `cd '${folder}'\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\nnpx() { shift; '${process.execPath}' '${DOORSTEP}' "$@"; }\n`;
  writeFileSync(file, `${prelude}${script.join('\n')}\ntrue\n`);
  const { stdout, stderr, status } = await startProgram('bash', [file], env).finished;
  const answers = stdout.split(new RegExp(`^${MARK}\\d+\\n`, 'm')).slice(1);
  if (status !== 0 || answers.length !== blocks.length || stderr.trim() !== '') {
    throw new Error(
      `The shell ended with ${status} after ${answers.length} blocks.\n${stderr}\n${stdout.slice(-2000)}`,
    );
  }
  return answers;
}

/** Saves a program instead of pasting it. */
function saved(folder: string, text: string): string {
  const [, name] = NAMED.exec(text) ?? [];
  if (name === undefined) return text;
  writeFileSync(join(folder, name), text);
  return 'true';
}
