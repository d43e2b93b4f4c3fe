import { closeName } from './close-name.ts';
import type { Http } from './http.ts';

/** Unknown parameters of one request that are looked at. */
const MAX_CHECKED = 10;

/**
 * Unknown parameters are ignored. One that is close to a known parameter is likely a mistake, and a filter that is ignored
 * goes unnoticed: the answer names both in a `Doorstep-Warning` header.
 */
export function warnOfUnknownParameters(http: Http): void {
  http.addHook('onRoute', (route) => {
    const { properties } = (route.schema?.querystring ?? {}) as { properties?: Record<string, unknown> };
    if (!properties) return;
    const known = new Set(Object.keys(properties));
    route.preValidation = [
      (request, reply, done) => {
        const given = Object.keys((request.query ?? {}) as object);
        const unknown = given.filter((name) => !known.has(name));
        if (unknown.length > 0) {
          const warnings = unknown.slice(0, MAX_CHECKED).flatMap((name) => {
            const meant = closeName(name, known);
            return meant === undefined || given.includes(meant) ? [] : [`${name} is ignored; did you mean ${meant}?`];
          });
          if (warnings.length > 0) reply.header('doorstep-warning', warnings.join(' '));
        }
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}
