import type { Http } from './http.ts';
import { Refusal } from './refusal.ts';

/** The refusal of a request whose path, or whose method at its path, no endpoint answers. */
export type Unroutable = (url: string) => Refusal;

/** Learns every endpoint that is registered from now on. */
export function createUnroutable(http: Http): Unroutable {
  const known: { url: RegExp; method: string }[] = [];
  http.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) known.push({ url: patternOf(url), method: one });
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = [...new Set(known.filter(({ url }) => url.test(path)).map(({ method }) => method))];
    if (methods.length === 0) return new Refusal('route_not_found', 'There is no such endpoint.');
    const allow = methods.join(', ');
    return new Refusal('method_not_allowed', `This endpoint answers ${allow}.`, { headers: { allow } });
  };
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[A-Za-z_]+/g, '[^/]+').replaceAll('\\*', '.*')}/?$`);
}
