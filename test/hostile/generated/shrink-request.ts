import type { HostileRequest } from './resolve-plan.ts';

type Judge = (request: HostileRequest) => Promise<string | undefined>;

const MAX_TRIES = 300;
const MAX_SHOWN = 4000;
/** Credentials survive shrinking, because without them every request is refused. */
const CREDENTIALS = /^(id-token|cookie)$/;

/** Removes parts of a request while it still fails. */
export async function shrinkRequest(
  request: HostileRequest,
  judge: Judge,
): Promise<{ smallest: HostileRequest; isRepeated: boolean }> {
  if ((await judge(request)) === undefined) return { smallest: request, isRepeated: false };
  let smallest = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const smaller of smallerRequests(smallest)) {
      tries += 1;
      if (tries > MAX_TRIES) return { smallest, isRepeated: true };
      if ((await judge(smaller)) === undefined) continue;
      smallest = smaller;
      isSmaller = true;
      break;
    }
  }
  return { smallest, isRepeated: true };
}

/** The request without one header, one parameter, its body, one field of its body, or half of a long text. */
function* smallerRequests(request: HostileRequest): Generator<HostileRequest> {
  for (const name of Object.keys(request.headers)) {
    const { [name]: _left, ...headers } = request.headers;
    yield { ...request, headers };
  }
  const [path = '', query] = request.url.split('?', 2);
  const pairs = query?.split('&') ?? [];
  for (const at of pairs.keys()) {
    const rest = pairs.filter((_pair, n) => n !== at).join('&');
    yield { ...request, url: rest === '' ? path : `${path}?${rest}` };
  }
  if (request.body === undefined) return;
  for (const body of smallerBodies(request.body.toString())) yield { ...request, body: Buffer.from(body) };
}

function* smallerBodies(text: string): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.length > 1) yield text.slice(0, text.length / 2);
    return;
  }
  for (const smaller of smallerValues(value)) yield JSON.stringify(smaller);
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 8) yield value.slice(0, value.length / 2);
  if (Array.isArray(value)) {
    if (value.length > 3) yield value.slice(0, value.length / 2);
    for (const [at, one] of value.entries()) {
      yield value.toSpliced(at, 1);
      for (const smaller of smallerValues(one)) yield value.with(at, smaller);
    }
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    for (const [at, [name, one]] of members.entries()) {
      yield Object.fromEntries(members.toSpliced(at, 1));
      for (const smaller of smallerValues(one)) yield Object.fromEntries(members.with(at, [name, smaller]));
    }
  }
}

/** The request without credentials, for manual replay. */
export function textOfRequest({ method, url, headers, body }: HostileRequest): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${CREDENTIALS.test(name) ? '…' : value.slice(0, 300)}`,
  );
  const text = body === undefined ? [] : ['', body.toString().slice(0, MAX_SHOWN)];
  return [`${method} ${url.slice(0, MAX_SHOWN)}`, ...lines, ...text].join('\n');
}
