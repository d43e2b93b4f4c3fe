import type { FastifyRequest } from 'fastify';
import type { Http } from './http.ts';
import { Refusal } from './refusal.ts';
import { badEncoding } from './request-schema.ts';

/** The registered endpoints, to explain an error of a request that matches none. */
export class KnownEndpoints {
  private readonly endpoints: { url: RegExp; method: string; byId: string | undefined }[] = [];

  constructor(http: Http) {
    http.addHook('onRoute', ({ url, method, schema }) => {
      const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
      const id = Object.keys(properties).find((name) => name.endsWith('_id'));
      const byId = id && `GET ${url}?${id}=`;
      for (const one of [method].flat()) this.endpoints.push({ url: patternOf(url), method: one, byId });
    });
  }

  /** Explains whether the path cannot be decoded or is unknown, or only the method at this path is. */
  refusalOf({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): Refusal {
    const path = originalUrl.split('?', 1)[0] ?? '';
    const fault = badEncoding(path);
    if (fault) return fault;
    const found = this.endpoints.filter((endpoint) => endpoint.url.test(path));
    const methods = [...new Set(found.map(({ method }) => method))];
    if (methods.length === 0) return new Refusal('route_not_found', `There is no such endpoint.${this.hintFor(path)}`);
    const allow = methods.join(', ');
    return new Refusal('method_not_allowed', `This endpoint supports ${allow}.`, { headers: { allow } });
  }

  /** Names the endpoint that takes the path's last part as a parameter: `/account/orders/ID` is read by `?order_id=`. */
  private hintFor(path: string): string {
    const [, parent = ''] = /^(.+)\/[^/]+\/?$/.exec(path) ?? [];
    const found = this.endpoints.find(({ url, method, byId }) => method === 'GET' && byId && url.test(parent));
    return found ? ` Did you mean ${found.byId}…?` : '';
  }
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:[A-Za-z_]+/g, '[^/]+').replaceAll('\\*', '.*')}/?$`);
}
