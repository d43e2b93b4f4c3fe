import { Type } from 'typebox';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import { stripJpeg } from '../lib/images.ts';
import { lockOrder } from '../orders/orders.db.ts';
import { linkNotFound, linkOf } from './driver-delivery.flow.ts';
import { isLinkAlive, limitLink } from './driver-link.ts';
import { type DriverDeps, DriverStateSchema, driverSecurity, LinkParams } from './driver-schema.ts';
import { driverState, mapAppOf } from './driver-view.ts';
import { findProof, savePhoto } from './proofs.db.ts';

export const PHOTOS_PER_MINUTE = 10;
const MAX_PHOTO_BYTES = 1024 * 1024;

const schema = {
  operationId: 'addDeliveryPhoto',
  tags: ['Drivers'],
  summary: 'A photo as proof of delivery',
  description:
    'A JPEG of at most 1 MiB. Metadata (place, phone, previews) is removed. A later photo replaces an earlier one.',
  consumes: ['image/jpeg'],
  params: LinkParams,
  body: Type.Unsafe<Buffer>({ description: 'The bytes of the JPEG.' }),
  response: { 200: DriverStateSchema },
};

const config = {
  public: true,
  refuses: [
    'order_not_found',
    'transition_not_allowed',
    'rate_limited',
    'not_ready',
    'body_too_large',
    'unsupported_media_type',
  ],
} as const;

/** POST /driver/{token}/photo: possible once the driver has the order. */
export function driverPhotoRoute(http: Http, deps: DriverDeps): void {
  const count = limitLink(PHOTOS_PER_MINUTE, deps.clock);
  http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/driver/:token/photo',
      {
        schema,
        config,
        bodyLimit: MAX_PHOTO_BYTES,
        helmet: driverSecurity(deps.config),
        validatorCompiler: () => (value) => ({ value }),
      },
      async ({ params, body, headers }) => {
        const now = deps.clock.now();
        count(params.token);
        const photo = Buffer.isBuffer(body) ? stripJpeg(body) : undefined;
        const { orderId, link } = linkOf(deps.tokens, params.token);
        return deps.db.transaction().execute(async (tx) => {
          // Without the lock a photo could be kept after the link has ended.
          const order = await lockOrder(tx, orderId);
          if (!order || !isLinkAlive(order, link)) throw linkNotFound();
          if (!photo) throw noJpeg();
          if (order.driverStage === 'assigned') {
            throw new Refusal('transition_not_allowed', 'A photo can be taken once the order is picked up.');
          }
          await savePhoto(tx, orderId, photo, now);
          const proof = await findProof(tx, orderId);
          return driverState({ order, proof }, mapAppOf(headers['user-agent']));
        });
      },
    );
  });
}

function noJpeg(): Refusal {
  const fault = { in: 'body', name: 'body', message: 'must be a whole JPEG' } as const;
  return new Refusal('invalid_request', 'The photo is not a whole JPEG.', { errors: [fault] });
}
