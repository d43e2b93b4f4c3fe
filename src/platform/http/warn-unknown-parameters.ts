import { closeName } from './close-name.ts';
import type { Http } from './http.ts';

/** Maximum typo checks per request. */
const MAX_TYPO_CHECKS = 10;

/**
 * Warns of unknown parameters, which are ignored and may be a misspelled filter: the `Doorstep-Warning` header names
 * the parameter and its likely spelling.
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
          const warnings = unknown.slice(0, MAX_TYPO_CHECKS).flatMap((name) => {
            const meant = closeName(name, known) ?? [...known].find((longer) => longer.endsWith(`_${name}`));
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
