import { Type } from 'typebox';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import type { Config } from '../../platform/config/config.ts';
import { component, describedObject } from '../../platform/http/api-components.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { SHOWN_ANYWHERE } from '../../platform/http/security-headers.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { createKeepPhoto, type PhotoDeps, readPhoto, type UploadDeps } from './keep-photo.flow.ts';
import { MAX_PHOTO_BYTES, PHOTO_SIZES, photoSizeOf, presentPhoto } from './photo.ts';

/** The photos of stores: POST /store/photos takes one, GET /photos/{photo_id}/{file} shows it to everybody. */

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
const ONE_YEAR_CACHING = 'public, max-age=31536000, immutable';

const side = (of: string) => Type.Integer({ description: `Pixels of the ${of}.` });
const PhotoSchema = component('Photo', 'A photo that a store uploaded, as WebP in three sizes.', {
  photo_id: Type.String({ description: 'The id of the photo; the same photo of the same store has the same id.' }),
  url: Type.String({ description: 'The address of the largest size, for `image` and `photos`.' }),
  width: side('largest size'),
  height: side('largest size'),
  sizes: describedObject(
    'Longest sides of 320, 800 and 1600 pixels; a smaller photo keeps its own size.',
    recordByName(PHOTO_SIZES, () => Type.Object({ url: Type.String(), width: side('size'), height: side('size') })),
  ),
});

const uploadSchema = {
  operationId: 'addStorePhoto',
  summary: 'Upload a photo of the store or of a dish',
  description:
    'The body is the file itself: JPEG, PNG or WebP of at most 10 MiB and 50 megapixels. It is turned upright and becomes WebP without metadata; of an animation the first frame stays. Name its `url` as the image of a product, or in the photos of the store: a photo that nothing has named for a day is deleted. A store may upload 1,000 photos a day.',
  consumes: TYPES,
  body: Type.Unsafe<Buffer>({ description: 'The bytes of the file.' }),
  response: { 200: PhotoSchema },
};

function uploadPhotoRoute(http: Http, deps: UploadDeps & { config: Config }): void {
  const keepPhoto = createKeepPhoto(deps);
  http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/store/photos',
      {
        schema: uploadSchema,
        config: {
          audience: 'store',
          largeBody: true,
          refuses: ['live_only', 'photo_not_accepted', 'upstream_unavailable'],
        },
        bodyLimit: MAX_PHOTO_BYTES,
        validatorCompiler: () => (value) => ({ value }),
      },
      async ({ merchant, owner = '', body }) => {
        refuseSandbox(merchant);
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        return presentPhoto(await keepPhoto(merchant.storeId, owner, bytes), deps.config.baseUrl);
      },
    );
  });
}

const readSchema = {
  operationId: 'readPhoto',
  summary: 'A photo of a store or of a dish',
  description: 'Never changes: keep it as long as you like. Pages of any site may show it.',
  example: { path: { file: 'medium.webp' } },
  params: Type.Object({
    photo_id: Type.String({ maxLength: 64, description: 'The photo.' }),
    file: Type.String({ maxLength: 64, description: '`small.webp`, `medium.webp` or `large.webp`.' }),
  }),
  response: {
    200: contentAnswer('The photo, without metadata.', ['image/webp']),
    304: emptyAnswer('The client has it.'),
  },
};

function readPhotoRoute(http: Http, deps: PhotoDeps): void {
  const config = { public: true, conditional: true, refuses: ['not_found', 'upstream_unavailable'] } as const;
  http.get(
    '/photos/:photo_id/:file',
    { schema: readSchema, config, security: SHOWN_ANYWHERE, compress: false },
    async ({ params, headers }, reply) => {
      const size = photoSizeOf(params.file);
      const bytes = size && (await readPhoto(deps, params.photo_id, size));
      if (!bytes) throw new Refusal('not_found', 'There is no such photo.');
      const etag = `"${params.photo_id}-${size}"`;
      reply.header('etag', etag).allowCaching(ONE_YEAR_CACHING);
      if (etagMatches(headers['if-none-match'], etag)) return reply.code(304).send(undefined);
      return reply.type('image/webp').send(bytes);
    },
  );
}

/** Uploads of photos, and their files. */
export const PHOTO_ROUTES = [uploadPhotoRoute, readPhotoRoute];
