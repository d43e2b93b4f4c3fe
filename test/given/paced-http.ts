import type { TestContext } from 'node:test';
import Fastify, { type FastifyRequest } from 'fastify';
import type { Http } from '../../src/platform/http/http.ts';
import { paceAnswers } from '../../src/platform/load/pace-answers.hook.ts';

/** A server whose large answers are paced at a RATE_LIMIT_PER_MINUTE of 600; the test advances the timers. */
export function givenPacedHttp(t: TestContext, holderOf: (request: FastifyRequest) => string): Http {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const http = Fastify() as unknown as Http;
  t.after(() => http.close());
  http.decorateRequest('holder', '');
  http.decorateRequest('client', { getter: () => ({ kind: 'public', name: '' }) } as never);
  http.addHook('onRequest', async (request) => {
    request.holder = holderOf(request);
  });
  paceAnswers(http, 600);
  return http;
}
