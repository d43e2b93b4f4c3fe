import type { ListRequestsAnswer } from '../../../clients/typescript/src/main.ts';
import { lookAgain } from '../../../clients/typescript/src/retry.ts';
import { type Account, explained } from './connect.ts';
import { connectionWatch, type Surroundings } from './run-listen.ts';

type Answered = ListRequestsAnswer['requests'][number];
export type LogsOptions = { status?: RegExp; path?: RegExp; json?: boolean };

/** Earlier requests that are shown first, as `tail` shows the last lines of a file. */
const FIRST = 10;

/**
 * Writes the last requests of an account, then each further request as a line, until the signal. A service that does not
 * answer is asked again. Rejects with CommandFailure where the service refuses, or does not answer the first request.
 */
export async function runLogs({ client, url }: Account, options: LogsOptions, around: Omit<Surroundings, 'clock'>) {
  const { signal, pollMs, retryDelayMs, write, tell } = around;
  const show = async (requests: readonly Answered[]) => {
    const wanted = requests.filter((request) => isWanted(request, options));
    if (wanted.length > 0) await write(wanted.map((request) => `${lineOf(request, options)}\n`).join(''));
  };
  try {
    const start = await client.requests.list({}, { signal, retries: 0 });
    tell(`Requests of the account at ${url}. Ctrl-C ends it.`);
    await show(start.requests.filter((request) => isWanted(request, options)).slice(-FIRST));
    let after = start.next;
    const { onFailure, onAnswer } = connectionWatch(url, tell);
    const look = async () => {
      const answer = await client.requests.list({ after }, { signal, retries: 0 });
      return { ...answer, has_more: false };
    };
    for await (const answer of lookAgain(look, { pollMs, retryDelayMs, signal, onFailure })) {
      onAnswer();
      if (!answer.is_complete) tell('Some requests are missing: another process answered, or there were too many.');
      await show(answer.requests);
      after = answer.next;
    }
  } catch (error) {
    // The regular end of the command.
    if (signal.aborted) return;
    throw explained(error, url);
  }
}

function isWanted({ status, path }: Answered, wanted: LogsOptions): boolean {
  return (wanted.status?.test(String(status)) ?? true) && (wanted.path?.test(path) ?? true);
}

function lineOf(request: Answered, { json }: LogsOptions): string {
  if (json) return JSON.stringify(request);
  const { timestamp, method, path, status, ms, request_id: requestId } = request;
  return `${timestamp}  ${status}  ${method.padEnd('DELETE'.length)}  ${path}  ${ms} ms  ${requestId}`;
}
