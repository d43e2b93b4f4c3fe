import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { DEFAULT_BRAND, siteSecurity } from './brand.ts';
import { byteRangeOf } from './byte-range.ts';
import type { OpenTileArchive, TileArchive } from './tile-archive.ts';

/** Maximum bytes per range; longer ranges are cut. A tile or directory of an archive is up to a few hundred KB. */
const MAX_RANGE_BYTES = 4 * 1024 * 1024;
const ONE_DAY_CACHING = 'public, max-age=86400';
const TYPE = 'application/vnd.pmtiles';

const TEXT = { type: 'string' };
const HEADERS = {
  ETag: { ...TEXT, description: 'Changes with the archive.' },
  'Accept-Ranges': { ...TEXT, description: '`bytes`.' },
};
const CONTENT_RANGE = {
  'Content-Range': { ...TEXT, description: 'The bytes in the response, and their total number.' },
};

const schema = {
  operationId: 'readMapTiles',
  summary: "Get bytes of the map tiles' PMTiles archive",
  description: "The tracking page's map reads single ranges of the archive.",
  response: {
    200: Type.Unsafe<Readable>({
      description: "For HEAD: the archive's size, in `Content-Length`.",
      headers: HEADERS,
      content: { [TYPE]: { schema: {} } },
    }),
    206: Type.Unsafe<Readable>({
      description: "The range's bytes, limited to the first 4 MiB.",
      headers: { ...HEADERS, ...CONTENT_RANGE },
      content: { [TYPE]: { schema: {} } },
    }),
  },
};

const READ_HEADERS = {
  Range: {
    ...TEXT,
    examples: ['bytes=0-16383'],
    description: 'One range of bytes, such as `bytes=0-16383`. Required for GET.',
  },
  'If-Range': { ...TEXT, description: 'The `ETag` of the archive that the range belongs to.' },
};

/** GET /tracking/tiles.pmtiles serves ranges of the MAP_TILES archive, never the whole file. */
export function tilesRoute(http: Http, deps: { config: Config; tileArchive: TileArchive | undefined }): void {
  const config = {
    public: true,
    uncounted: true,
    readsHeaders: READ_HEADERS,
    refuses: ['route_not_found', 'range_not_satisfiable'],
  } as const;
  const security = siteSecurity(deps.config, DEFAULT_BRAND);
  http.get(
    '/tracking/tiles.pmtiles',
    { config, schema, security, compress: false },
    async ({ method, headers }, reply) => {
      const archive = await deps.tileArchive?.open();
      if (!archive) throw new Refusal('route_not_found', 'This service has no file of map tiles.');
      const { sizeBytes } = archive;
      const shared = { 'accept-ranges': 'bytes', etag: archive.etag };
      reply.allowCaching(ONE_DAY_CACHING);
      if (method === 'HEAD') {
        await archive.close();
        // A stream, because Fastify would replace the archive's length with the length of a text.
        return reply
          .code(200)
          .headers({ ...shared, 'content-length': sizeBytes })
          .type(TYPE)
          .send(Readable.from([]));
      }
      const range = isCurrent(archive, headers['if-range'])
        ? byteRangeOf(headers.range, sizeBytes, MAX_RANGE_BYTES)
        : undefined;
      if (!range) {
        await archive.close();
        throw notSatisfiable(sizeBytes);
      }
      const { first, last } = range;
      reply.headers({ ...shared, 'content-range': `bytes ${first}-${last}/${sizeBytes}` });
      return reply
        .code(206)
        .header('content-length', last - first + 1)
        .type(TYPE)
        .send(archive.read(first, last));
    },
  );
}

/**
 * Whether the client's earlier ranges are of this archive. Otherwise it must start over, because ranges of two archives
 * do not mix.
 */
function isCurrent({ etag }: OpenTileArchive, ifRange: string | string[] | undefined): boolean {
  return ifRange === undefined || ifRange === etag;
}

function notSatisfiable(sizeBytes: number): Refusal {
  return new Refusal(
    'range_not_satisfiable',
    'Request one range of the archive\'s bytes, such as "Range: bytes=0-16383".',
    { headers: { 'content-range': `bytes */${sizeBytes}` } },
  );
}
