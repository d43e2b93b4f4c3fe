import { Command, InvalidArgumentError } from 'commander';
import { listenForInterruption } from '../interruption.ts';
import { writePart } from '../output.ts';
import { type AccountOptions, accountOf, withAccountOptions } from './connect.ts';
import { type LogsOptions, runLogs } from './run-logs.ts';

const POLL_MS = 1000;
const HELP = `
Shows the requests that the process of the service has answered that answers this command, from its memory: no query,
header or body, and the last 200 at most. The log of the service itself has the requests of all processes.`;

export function logsCommand(): Command {
  return new Command('logs').description('Show the requests of an account.').addCommand(tailCommand());
}

function tailCommand(): Command {
  const command = new Command('tail')
    .description('Show what the keys of an account ask, and how it is answered, as it comes.')
    .option('--status <list>', 'only these statuses: 404, 4xx, or several such as 402,5xx', parseStatuses)
    .option('--path <path>', 'only this path; * stands for any letters, such as /account/*', parsePath)
    .option('--json', 'write one JSON document a line: { timestamp, method, path, status, ms, request_id }')
    .addHelpText('after', HELP);
  return withAccountOptions(command).action(async (options: LogsOptions & AccountOptions) => {
    await runLogs(accountOf(options), options, {
      signal: listenForInterruption().signal,
      write: writePart,
      pollMs: POLL_MS,
      tell: (sentence) => process.stderr.write(`${sentence}\n`),
    });
  });
}

function parseStatuses(text: string): RegExp {
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  if (!words.every((word) => /^[1-5](\d\d|xx)$/.test(word))) {
    throw new InvalidArgumentError('A status is a number such as 404, or a class such as 4xx.');
  }
  return new RegExp(`^(${words.map((word) => word.replace('xx', '..')).join('|')})$`);
}

function parsePath(text: string): RegExp {
  const parts = text.split('*').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`);
}
