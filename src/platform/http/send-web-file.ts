import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { EncodedBytes, WebFile } from '../lib/web-files.ts';
import { contentAnswer } from './content-answers.ts';
import type { Http } from './http.ts';
import { Refusal } from './refusal.ts';
import type { SecurityHeaders } from './security-headers.ts';

const IMMUTABLE_CACHING = 'public, max-age=31536000, immutable';

const TYPES = ['text/javascript', 'text/css', 'image/svg+xml'];

/** A page whose scripts and styles are served at `{folder}/{name}`. */
export type PageWithFiles = {
  folder: string;
  operationId: string;
  /** The page's name in sentences, such as `the console`. */
  page: string;
  /** The page's bundles; some are built only for certain services. */
  bundles: readonly (() => Promise<{ byName: ReadonlyMap<string, WebFile> }>)[];
  /** What else the page needs before it is served. */
  modules?: readonly (() => Promise<unknown>)[];
  security: SecurityHeaders;
  /** Content types besides scripts, styles and icons. */
  more?: readonly string[];
};

/** Reads the files of a server's pages before it listens; rejects if one cannot be made. */
export async function loadPages({ pageLoads = [] }: Partial<Pick<Http, 'pageLoads'>>): Promise<void> {
  await Promise.all(pageLoads.map((load) => load()));
}

/** Serves a page's scripts and styles at GET {folder}/{name}; `loadPages` reads them. */
export function serveWebFiles(
  http: Http,
  { folder, operationId, page, bundles, modules = [], ...rest }: PageWithFiles,
): void {
  const { security, more = [] } = rest;
  if (!http.hasDecorator('pageLoads')) http.decorate('pageLoads', []);
  http.pageLoads.push(...bundles, ...modules);
  const schema = {
    operationId,
    summary: `Get a script or style for ${page}`,
    description: 'Browsers can cache the file forever, because its name changes with its content.',
    params: Type.Object({
      name: Type.String({ description: 'The file name in the page, which includes a digest of its content.' }),
    }),
    response: { 200: contentAnswer('The file.', [...TYPES, ...more]) },
  };
  const config = { public: true, uncounted: true, refuses: ['route_not_found'] } as const;
  http.get(`${folder}/:name`, { schema, config, security }, async (request, reply) => {
    for (const bundle of bundles) {
      const file = (await bundle()).byName.get(request.params.name);
      if (file) return sendWebFile(request, reply, file);
    }
    throw new Refusal('route_not_found', 'There is no such file.');
  });
}

/** Sends a page's file with immutable caching: its name contains a hash of its content. */
function sendWebFile({ headers }: FastifyRequest, reply: FastifyReply, file: WebFile) {
  const { encoding, bytes } = encodedFor(headers['accept-encoding'], file);
  if (encoding) reply.header('content-encoding', encoding);
  return reply.allowCaching(IMMUTABLE_CACHING).header('vary', 'accept-encoding').type(file.type).send(bytes);
}

/** Returns the file in the best encoding that the client accepts, brotli first. */
export function encodedFor(
  accepted: string | string[] | undefined,
  file: EncodedBytes,
): { encoding?: string; bytes: Buffer } {
  const takes = (encoding: string) =>
    new RegExp(`(^|[\\s,])${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(String(accepted));
  if (takes('br')) return { encoding: 'br', bytes: file.brotli };
  return takes('gzip') ? { encoding: 'gzip', bytes: file.gzip } : { bytes: file.bytes };
}
