import type { Http } from './http/http.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Looks at the queues soon after each request that may have written to them. */
export function wakeQueues(http: Http, wake: () => void): void {
  http.addHook('onResponse', (request, _reply, done) => {
    if (!READS.has(request.method)) wake();
    done();
  });
}
