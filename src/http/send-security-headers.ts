import type { FastifyReply } from 'fastify';
import helmet from 'helmet';
import { endpointOf } from './endpoint-of.ts';
import type { Http } from './http.ts';
import type { SecurityOptions } from './security-headers.ts';

declare module 'fastify' {
  interface RouteShorthandOptions {
    /** Options that differ from those of every answer; false: the answers of the route have no security headers. */
    helmet?: SecurityOptions | false;
  }
  interface RouteOptions {
    helmet?: SecurityOptions | false;
  }
  interface FastifyContextConfig {
    helmet?: SecurityOptions | false;
  }
  interface FastifyReply {
    /** Writes the headers again, with options that differ from those of the route. */
    helmet(options: SecurityOptions): void;
  }
}

type Header = readonly [name: string, value: string];

/**
 * Writes the headers of `options` on every answer. The headers of a route are worked out once, and a route without
 * headers costs a request nothing: the hook takes a callback, because a promise would cost each request a turn.
 */
export function sendSecurityHeaders(http: Http, options: SecurityOptions): void {
  const everywhere = headersOf(options);
  const ofRoutes = new Map<SecurityOptions, readonly Header[]>();

  http.addHook('onRoute', (route) => {
    if (route.helmet === undefined) return;
    route.config = { ...route.config, helmet: route.helmet };
    if (route.helmet) ofRoutes.set(route.helmet, headersOf({ ...options, ...route.helmet }));
  });
  http.addHook('onRequest', (request, reply, done) => {
    const own = endpointOf(request).config.helmet;
    if (own === undefined) write(reply, everywhere);
    else if (own) write(reply, ofRoutes.get(own) ?? everywhere);
    done();
  });
  http.decorateReply('helmet', function (this: FastifyReply, changes: SecurityOptions) {
    const own = this.request.routeOptions.config.helmet;
    write(this, headersOf({ ...options, ...(own || {}), ...changes }));
  });
}

function write({ raw }: FastifyReply, headers: readonly Header[]): void {
  for (const [name, value] of headers) raw.setHeader(name, value);
}

/** The headers that the library writes: the same for every request, because no option here looks at a request. */
function headersOf(options: SecurityOptions): readonly Header[] {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options as Parameters<typeof helmet>[0])({} as never, answer as never, (error?: unknown) => {
    if (error) throw error;
  });
  return [...headers];
}
