import { isUtf8 } from 'node:buffer';
import type { Http } from './http.ts';
import { invalidRequest } from './request-schema.ts';

const MAX_FORM_BYTES = 16 * 1024;

/** Registers endpoints that accept only forms. All others refuse forms. */
export function withForms(http: Http, register: (scope: Http) => void): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The endpoint's body limit takes precedence over the parser's.
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = MAX_FORM_BYTES;
    });
    const options = { parseAs: 'buffer' } as const;
    scope.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', options, (_request, body, done) => {
      try {
        done(null, readForm(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error('The form could not be read.'));
      }
    });
    register(scope as unknown as Http);
  });
}

/** The fields of a form; of a repeated field, the last value. */
function readForm(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw invalidRequest([{ in: 'body', name: 'body', message: 'must be UTF-8' }]);
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
}
