import { loadApiChecks, type PrismRequest } from './api-checks.ts';
import type { Exchange, WireAnswer, WireRequest } from './example-client.ts';

/** A mismatch between description and traffic, as Prism words it. */
export type Difference = string;

/** Silences Prism's own log, which no test reads. */
const SILENT = Object.assign(
  Object.fromEntries(['info', 'debug', 'trace', 'warn', 'error', 'fatal', 'success'].map((level) => [level, () => {}])),
  { child: (): unknown => SILENT },
);

/**
 * Prism validates each request and answer against the description. `exchange` sends the requests, because Prism's own
 * sender follows redirects and waits for streams to end.
 */
export async function proxyOf(
  description: object,
  exchange: Exchange,
): Promise<{ exchange: Exchange; differences: readonly Difference[] }> {
  const { createInstance, getHttpOperationsFromSpec } = await loadApiChecks();
  const operations = await getHttpOperationsFromSpec(structuredClone(description));
  const differences: Difference[] = [];
  return {
    differences,
    async exchange(request) {
      let answer: WireAnswer | undefined;
      const forward = () => () => async () => {
        answer = await exchange(request);
        const { status, headers, text, body } = answer;
        return { _tag: 'Right', right: { statusCode: status, headers, body: body ?? text } };
      };
      const config = {
        ...{
          isProxy: true,
          upstream: new URL('http://127.0.0.1/'),
          upstreamProxy: undefined,
          mock: { dynamic: false },
        },
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
      };
      const prism = createInstance(config, { logger: SILENT, forward });
      const outcome = await prism.request(seenByPrism(request), operations)();
      const name = `${request.method} ${request.path}`;
      if (outcome._tag === 'Left') throw new Error(`${name}: ${outcome.left.message}`);
      const { input, output } = outcome.right.validations;
      for (const [part, found] of [
        ['request', input],
        ['answer', output],
      ] as const) {
        for (const { message, path = [] } of found) differences.push(`${name} ${part} ${path.join('.')}: ${message}`);
      }
      if (!answer) throw new Error(`${name} was not sent`);
      return answer;
    },
  };
}

function seenByPrism({ method, path, headers, body }: WireRequest): PrismRequest {
  const { pathname, searchParams } = new URL(path, 'http://host');
  const isJson = headers['content-type'] === 'application/json';
  return {
    method: method.toLowerCase(),
    url: { path: pathname, query: Object.fromEntries(searchParams) },
    headers,
    ...(body === undefined ? {} : { body: isJson ? JSON.parse(String(body)) : String(body) }),
  };
}
