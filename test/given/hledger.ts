import { spawnSync } from 'node:child_process';

/** The complaint of `hledger check` about a journal: empty if it accepts it, undefined where it isn't installed. */
export function checkJournal(journal: string): string | undefined {
  const { error, stderr } = spawnSync('hledger', ['check', '-f', '-'], { input: journal, encoding: 'utf8' });
  return error ? undefined : stderr;
}
