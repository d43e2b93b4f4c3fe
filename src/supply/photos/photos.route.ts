import { Type } from 'typebox';
import { refuseSandbox } from '../../access/sessions/merchant.ts';
import type { Config } from '../../platform/config/config.ts';
import { component, describedObject, integer, text } from '../../platform/http/api-components.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { etagMatches } from '../../platform/http/json-pieces.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { SHOWN_ANYWHERE } from '../../platform/http/security-headers.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { createKeepPhoto, type PhotoDeps, readPhoto, type UploadDeps } from './keep-photo.flow.ts';
import { MAX_PHOTO_BYTES, PHOTO_SIZES, photoSizeOf, presentPhoto } from './photo.ts';

/** The photos of stores: POST /store/photos takes one, GET /photos/{photo_id}/{file} shows it to everyone. */

const TYPES = ['image/jpeg', 'image/png', 'image/webp'];
const ONE_YEAR_CACHING = 'public, max-age=31536000, immutable';

const side = (of: string) => integer(`The ${of} in pixels.`);
const PhotoSchema = component('Photo', 'A photo that a store uploaded, as WebP in three sizes.', {
  photo_id: text("The photo's ID. Uploading the same photo to the same store again returns the same ID."),
  url: text("The largest size's URL, for `image` and `photos`."),
  width: side('largest size'),
  height: side('largest size'),
  sizes: describedObject(
    'The longest sides are 320, 800 and 1600 pixels. A smaller photo keeps its size.',
    recordByName(PHOTO_SIZES, () => Type.Object({ url: Type.String(), width: side('size'), height: side('size') })),
  ),
});

const uploadSchema = {
  operationId: 'addStorePhoto',
  summary: 'Upload a store or dish photo',
  description:
    "The body is the file itself: a JPEG, PNG or WebP photo of up to 10 MiB and 50 megapixels. It's rotated upright and converted to WebP without metadata. For an animation, only the first frame is kept. Use its `url` as a product image or as a store photo: unused photos are deleted after a day. A store can upload 1,000 photos per day.",
  consumes: TYPES,
  body: Type.Unsafe<Buffer>({ description: "The file's bytes." }),
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
  summary: 'Get a photo',
  description: "A photo never changes, so it can be cached forever. Any site's pages may show it.",
  example: { path: { file: 'medium.webp' } },
  params: Type.Object({
    photo_id: Type.String({ maxLength: 64, description: 'The photo.' }),
    file: Type.String({ maxLength: 64, description: '`small.webp`, `medium.webp` or `large.webp`.' }),
  }),
  response: {
    200: contentAnswer('The photo, without metadata.', ['image/webp']),
    304: emptyAnswer("The client's cached photo is current."),
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
