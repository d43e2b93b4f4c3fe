import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { PROOF_FIELDS, presentProof } from './proof.ts';
import { findPhoto, findProof } from './proofs.db.ts';

const OrderParams = Type.Object({ order_id: Type.String({ maxLength: 64, description: "The account's order." }) });

export const readProofOperation = operation({
  name: 'readProof',
  endpoint: 'GET /account/orders/:order_id/proof',
  summary: "Get an order's proof of delivery",
  description: 'Returns whether the driver took a photo and confirmed checking an ID.',
  params: OrderParams,
  answer: Type.Object(PROOF_FIELDS, { description: 'The proof. Without a record, it says so.' }),
  refuses: ['order_not_found'],
  on: { account: { scope: 'read' } },
}).run(async ({ db, config }: { db: Db; config: Config }, { by: { caller }, params }) => {
  const order = await requireOrder(db, params.order_id, caller);
  return presentProof(order.orderId, await findProof(db, order.orderId), config.baseUrl);
});

const photoSchema = {
  operationId: 'readProofPhoto',
  summary: "Get the driver's delivery photo",
  description: "Returns the driver's last photo, or 404 without one.",
  params: OrderParams,
  response: { 200: contentAnswer('The photo, without metadata.', ['image/webp']) },
};

/** GET /account/orders/{order_id}/proof/photo. */
export function proofPhotoRoute(http: Http, { db }: { db: Db }): void {
  const config = { scope: 'read', refuses: ['order_not_found'] } as const;
  http.get(
    '/account/orders/:order_id/proof/photo',
    { schema: photoSchema, config },
    async ({ params, caller }, reply) => {
      const photo = await findPhoto(db, caller, params.order_id);
      if (!photo) throw new Refusal('order_not_found', 'There is no such order, or it lacks a photo.');
      return reply.type('image/webp').send(photo);
    },
  );
}
