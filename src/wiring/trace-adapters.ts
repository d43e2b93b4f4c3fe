import type { PublicHttp } from '../lib/public-http.ts';
import { describeSpanNow, failSpanNow, inSpan } from '../lib/tracing.ts';
import type { Adapters } from './open-adapters.ts';

const FIRST_FAULT = 400;

/** Makes each call of an outside party a span of the work that calls: its party and operation, nothing of the request. */
export function traceAdapters({
  gateways,
  messaging,
  couriers,
  placeDirectory,
  printing,
  ...others
}: Adapters): Adapters {
  const { mailer, texter } = messaging;
  return {
    ...others,
    gateways: {
      ...gateways,
      sandbox: traced('payment gateway', gateways.sandbox),
      live: gateways.live && traced('payment gateway', gateways.live),
    },
    messaging: {
      ...messaging,
      mailer: mailer && traced('mail', mailer),
      texter: texter && traced('SMS', texter),
    },
    couriers: new Map(couriers.entries().map(([name, courier]) => [name, traced('courier', courier)])),
    placeDirectory: traced('place directory', placeDirectory),
    printing: { ...printing, printer: traced('printer', printing.printer) },
    publicHttp: traced('endpoint', withOutcomes(others.publicHttp)),
  };
}

/** The same port, whose operations that take time are spans. */
function traced<Port extends object>(party: string, port: Port): Port {
  const operations = Object.entries(port).filter(([, member]) => typeof member === 'function');
  const spanned = operations.map(([name, operation]) => {
    const begun = { name: `${party} ${name}`, kind: 'client' as const, attributes: { 'doorstep.party': party } };
    return [name, (...call: unknown[]) => inSpan(begun, () => operation.apply(port, call))];
  });
  return { ...port, ...Object.fromEntries(spanned) };
}

/** Calls of endpoints never reject: their spans get the outcome from the answer. */
function withOutcomes(publicHttp: PublicHttp): PublicHttp {
  const noted = async <Answer extends { status: number } | { failure: string }>(asked: Promise<Answer>) => {
    const answer = await asked;
    if ('failure' in answer) failSpanNow(answer.failure);
    else {
      describeSpanNow({ 'http.response.status_code': answer.status });
      if (answer.status >= FIRST_FAULT) failSpanNow(String(answer.status));
    }
    return answer;
  };
  return {
    ...publicHttp,
    post: (url, request) => noted(publicHttp.post(url, request)),
    get: (url, headers) => noted(publicHttp.get(url, headers)),
  };
}
