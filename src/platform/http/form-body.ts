import { isUtf8 } from 'node:buffer';
import type { Http } from './http.ts';
import { parseLater } from './parse-request.ts';
import { GIVEN_TWICE, invalidField } from './request-schema.ts';

const MAX_FORM_BYTES = 16 * 1024;
/** Maximum fields of a form: twice as many as any page or SMS webhook has. */
const MAX_FIELDS = 64;

/** Registers endpoints that accept only forms. All others refuse forms. */
export function withForms(http: Http, register: (scope: Http) => void): void {
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The endpoint's body limit takes precedence over the parser's.
    scope.addHook('onRoute', (route) => {
      route.bodyLimit = MAX_FORM_BYTES;
    });
    parseLater(scope, 'application/x-www-form-urlencoded', readForm);
    register(scope as unknown as Http);
  });
}

/** Reads the fields of a form. A repeated field is refused (RFC 6749, section 3.2): two readers might take different values. */
export function readForm(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw invalidField('body', 'body', 'must be UTF-8');
  const text = bytes.toString('utf8');
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw invalidField('body', 'body', `must have at most ${MAX_FIELDS} fields`);
  }
  const fields = new URLSearchParams(text);
  const repeated = [...fields.keys()].find((name) => fields.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw invalidField('body', /^\w{1,64}$/.test(repeated) ? repeated : 'body', GIVEN_TWICE);
  }
  return Object.fromEntries(fields);
}
