import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { runCommandLine } from '../../src/app/cli/main.ts';
import type { Finished } from './command.ts';
import { ANSWERS, type HostedCommand } from './command-host.ts';

// Runs commands from standard input, one after another, in a process that loads them once. Each has its own settings,
// output and exit status; process behavior itself is tested with real processes.
const plain = { ...process.env };
const answers = new Socket({ fd: ANSWERS });
const takeOutput = captureWrites(process.stdout);
const takeErrors = captureWrites(process.stderr);
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env }: HostedCommand = JSON.parse(line);
  process.env = { ...plain, ...env };
  process.exitCode = 0;
  await runCommandLine(args);
  const status = Number(process.exitCode);
  const finished: Finished = { status, signal: null, stdout: takeOutput(), stderr: takeErrors() };
  answers.write(`${JSON.stringify(finished)}\n`);
}
process.exitCode = 0;
answers.end();

/** Captures a stream's writes; the returned function drains them. */
function captureWrites(stream: NodeJS.WriteStream): () => string {
  let text = '';
  stream.write = ((chunk: unknown, ...more: unknown[]) => {
    text += String(chunk);
    const done = more.at(-1);
    if (typeof done === 'function') done();
    return true;
  }) as typeof stream.write;
  return () => {
    const kept = text;
    text = '';
    return kept;
  };
}
