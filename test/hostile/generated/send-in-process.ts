import type { InjectOptions } from 'fastify';
import type { Http } from '../../../src/platform/http/http.ts';
import type { Reply } from '../../harness.ts';
import type { Send } from './judge-answer.ts';

/** Sends requests in process. The harness validates each response; its error message is the fault. */
export function sendInProcess(http: Http): Send {
  return async ({ method, url, headers, body }) => {
    try {
      const request = { method, url, headers, ...(body && { payload: body }) } as InjectOptions;
      const reply = await http.inject(request);
      const answer = {
        status: reply.statusCode,
        headers: reply.headers as Reply['headers'],
        body: undefined,
        text: reply.body,
      };
      return { answer };
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) };
    }
  };
}
