import { spawn } from 'node:child_process';

/** The system user a program runs as; undefined is ourselves. */
export type ServerUser = { uid: number; gid: number } | undefined;

export type ProgramResult = { status: number | null; output: string };

// Only the variables that PostgreSQL needs: this process's environment holds secrets, and PG… variables change PostgreSQL's behaviour.
export const PROGRAM_ENVIRONMENT = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end; `output` is both of its streams. A program that cannot be run has the status null. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd?: string; user?: ServerUser; input?: string; timeoutMs: number },
): Promise<ProgramResult> {
  const { promise, resolve } = Promise.withResolvers<ProgramResult>();
  const child = spawn(file, args, {
    cwd: options.cwd ?? '/',
    env: PROGRAM_ENVIRONMENT,
    timeout: options.timeoutMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...options.user,
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => {}); // a program that ends before it has read everything is judged by its status
  child.on('error', (error) => resolve({ status: null, output: `error: ${error.message}` }));
  child.on('close', (status) => resolve({ status, output }));
  child.stdin.end(options.input ?? '');
  return promise;
}
