import { Command, InvalidArgumentError } from 'commander';
import type { ListRequestsAnswer } from '../../../../clients/typescript/src/main.ts';
import { lookAgain } from '../../../../clients/typescript/src/retry.ts';
import { listenForInterruption } from '../interruption.ts';
import { writePart } from '../output.ts';
import {
  type Account,
  type AccountOptions,
  chooseAccount,
  explainRequestError,
  withAccountOptions,
} from './connect.ts';
import { createConnectionWatch, type ListenDeps } from './listen.ts';

/* `doorstep logs tail`: an account's requests, as they happen. */

const POLL_MS = 1000;
const HELP = `
Shows the requests that the process of the service has answered that answers this command, from its memory: no query,
header or body, and the last 200 at most. The log of the service itself has the requests of all processes.`;

export const logsCommand = (): Command => new Command('logs').addCommand(tailCommand());

function tailCommand(): Command {
  const command = new Command('tail')
    .description("Stream an account's API requests as they arrive.")
    .option('--status <list>', 'only these statuses: 404, 4xx, or several such as 402,5xx', parseStatuses)
    .option('--path <path>', 'only this path; * matches anything, such as /account/*', parsePath)
    .option('--json', 'print one JSON document per line: { timestamp, method, path, status, ms, request_id }')
    .addHelpText('after', HELP);
  return withAccountOptions(command).action(async (options: LogsOptions & AccountOptions) => {
    await runLogs(chooseAccount(options), options, {
      signal: listenForInterruption().signal,
      write: writePart,
      pollMs: POLL_MS,
      print: (sentence) => process.stderr.write(`${sentence}\n`),
    });
  });
}

function parseStatuses(text: string): RegExp {
  const words = text
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  if (!words.every((word) => /^[1-5](\d\d|xx)$/.test(word))) {
    throw new InvalidArgumentError('A status must be a number such as 404, or a class such as 4xx.');
  }
  return new RegExp(`^(${words.map((word) => word.replace('xx', '..')).join('|')})$`);
}

function parsePath(text: string): RegExp {
  const parts = text.split('*').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`);
}

type LoggedRequest = ListRequestsAnswer['requests'][number];
export type LogsOptions = { status?: RegExp; path?: RegExp; json?: boolean };

/** Earlier requests that are shown first, like the last lines of `tail`. */
const TAIL_REQUESTS = 10;

/**
 * Writes an account's last requests, then each new one, as lines, until the signal aborts. Retries an unavailable
 * service. Rejects with CommandFailure if the service refuses, or does not answer the first request.
 */
export async function runLogs({ client, url }: Account, options: LogsOptions, around: Omit<ListenDeps, 'clock'>) {
  const { signal, pollMs, retryDelayMs, write, print } = around;
  const show = async (requests: readonly LoggedRequest[]) => {
    const wanted = requests.filter((request) => matchesFilter(request, options));
    if (wanted.length > 0) await write(wanted.map((request) => `${requestLine(request, options)}\n`).join(''));
  };
  try {
    const start = await client.requests.list({}, { signal, retries: 0 });
    print(`Streaming the account's requests at ${url}. Press Ctrl-C to stop.`);
    await show(start.requests.filter((request) => matchesFilter(request, options)).slice(-TAIL_REQUESTS));
    let after = start.next;
    const { onFailure, onAnswer } = createConnectionWatch(url, print);
    const look = async () => {
      const answer = await client.requests.list({ after }, { signal, retries: 0 });
      return { ...answer, has_more: false };
    };
    for await (const answer of lookAgain(look, { pollMs, retryDelayMs, signal, onFailure })) {
      onAnswer();
      if (!answer.is_complete)
        print('Some requests are missing: another process handled them, or there were too many.');
      await show(answer.requests);
      after = answer.next;
    }
  } catch (error) {
    // An abort is the regular end of the command.
    if (signal.aborted) return;
    throw explainRequestError(error, url);
  }
}

function matchesFilter({ status, path }: LoggedRequest, wanted: LogsOptions): boolean {
  return (wanted.status?.test(String(status)) ?? true) && (wanted.path?.test(path) ?? true);
}

function requestLine(request: LoggedRequest, { json }: LogsOptions): string {
  if (json) return JSON.stringify(request);
  const { timestamp, method, path, status, ms, request_id: requestId } = request;
  return `${timestamp}  ${status}  ${method.padEnd('DELETE'.length)}  ${path}  ${ms} ms  ${requestId}`;
}
