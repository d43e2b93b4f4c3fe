import { assertProblem } from '../assert-refused.ts';
import { exchange } from '../raw-http.ts';
import type { Arms } from './given-attack.ts';
import type { RequestPlan } from './request-plans.ts';
import { type HostileRequest, resolvePlan } from './resolve-plan.ts';

type Framing = (request: HostileRequest) => string;

const text = ({ body }: HostileRequest) => body?.toString('latin1') ?? '{}';
const lineOf = ({ method, url }: HostileRequest, version = 'HTTP/1.1') => `${method} ${url} ${version}\r\n`;
const headersOf = ({ headers }: HostileRequest) =>
  Object.entries({ host: 'doorstep.test', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const whole = (request: HostileRequest, more: string, body: string) =>
  `${lineOf(request)}${headersOf(request)}${more}\r\n${body}`;

/** Malformed content lengths, endings, line breaks and versions. */
const FRAMINGS: readonly Framing[] = [
  (one) => whole(one, `content-length: ${text(one).length + 10}\r\n`, text(one)),
  (one) => whole(one, `content-length: ${Math.max(0, text(one).length - 5)}\r\n`, text(one)),
  (one) => whole(one, 'content-length: -1\r\n', text(one)),
  (one) => whole(one, 'content-length: 0x10\r\n', text(one)),
  (one) => whole(one, 'content-length: 99999999999999999999\r\n', text(one)),
  (one) => whole(one, 'content-length: 3\r\ncontent-length: 4\r\n', text(one)),
  (one) => whole(one, 'content-length: 3\r\ntransfer-encoding: chunked\r\n', '3\r\n{}}\r\n0\r\n\r\n'),
  (one) =>
    whole(one, 'transfer-encoding: chunked\r\n', `${text(one).length.toString(16)}\r\n${text(one)}\r\n0\r\n\r\n`),
  (one) => whole(one, 'transfer-encoding: chunked\r\n', `zz\r\n${text(one)}`),
  (one) => whole(one, 'transfer-encoding: gzip, chunked\r\n', '0\r\n\r\n'),
  (one) => whole(one, 'no colon here\r\n', ''),
  (one) => whole(one, 'x-nul: a\0b\r\n', ''),
  (one) => whole(one, `x-long: ${'x'.repeat(20_000)}\r\n`, ''),
  (one) => whole(one, ' folded: yes\r\n', ''),
  (one) => whole(one, 'host: second.test\r\n', ''),
  (one) => whole(one, '', text(one)).replaceAll('\r\n', '\n'),
  (one) => whole(one, `content-length: ${text(one).length}\r\n`, text(one)).slice(0, -7),
  (one) => `${lineOf(one, 'HTTP/1.0')}${headersOf(one)}\r\n`,
  (one) => `${lineOf(one, 'HTTP/9.9')}${headersOf(one)}\r\n`,
  (one) => `${one.method.toLowerCase()} ${one.url} HTTP/1.1\r\n${headersOf(one)}\r\n`,
  (one) => `${one.method} http://doorstep.test${one.url} HTTP/1.1\r\n${headersOf(one)}\r\n`,
  (one) => `${one.method} ${one.url}`,
  (one) => `${lineOf(one)}\r\n`,
];

/** Sends each request with one of these framings, closes after its last byte, and reports faulty answers. */
export async function faultsOfFraming(
  port: number,
  plans: readonly RequestPlan[],
  arms: Arms,
  atOnce: number,
): Promise<{ faults: string[]; answered: number }> {
  const faults: string[] = [];
  let answered = 0;
  const queue = plans.entries();
  const work = async () => {
    for (const [at, plan] of queue) {
      const bytes = (FRAMINGS[at % FRAMINGS.length] as Framing)(resolvePlan(plan, arms));
      const answers = await exchange(port, bytes, { toHead: plan.method === 'HEAD', ends: true });
      answered += answers.length;
      for (const answer of answers) {
        const fault = faultOf(answer);
        if (fault !== undefined) faults.push(`${fault}\n${bytes.slice(0, 2000)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults, answered };
}

function faultOf(answer: { status: number; headers: Record<string, string>; text: string }): string | undefined {
  if (answer.status >= 500) return `answered with ${answer.status}: ${answer.text}`;
  if (!answer.headers['content-type']?.startsWith('application/problem+json') || answer.text === '') return undefined;
  if (answer.headers['content-encoding']) return undefined;
  try {
    assertProblem(answer, 'bytes');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
