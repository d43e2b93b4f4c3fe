import { randomUUID } from 'node:crypto';
import { until } from './until.ts';

/** The parts of a response that say whether to come again. */
type Answered = { status: number; headers: Readonly<Record<string, unknown>>; text: string };

/**
 * Sends a request until it is served. One of many at once may wait too long for a connection or a lock: it is refused
 * with 503 and comes again, as a client does. The idempotency key makes all tries one.
 */
export async function comeAgain<Answer extends Answered>(
  send: (key: { 'idempotency-key': string }) => Promise<Answer>,
): Promise<Answer> {
  const key = { 'idempotency-key': randomUUID() };
  let answer = await send(key);
  await until(
    () => `a request is served: ${answer.text}`,
    async () => {
      if (!isRefusedForNow(answer)) return true;
      answer = await send(key);
      return !isRefusedForNow(answer);
    },
  );
  return answer;
}

/** Whether to come again; a try whose end could not be noted leaves its key in progress. */
export const isRefusedForNow = ({ status, headers, text }: Answered): boolean =>
  (status === 503 || status === 409) &&
  headers['retry-after'] !== undefined &&
  /"code":"(not_ready|idempotency_in_progress)"/.test(text);
