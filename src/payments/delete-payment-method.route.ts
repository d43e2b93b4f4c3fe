import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { Refusal } from '../http/refusal.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../lib/clock.ts';
import { EXAMPLE_PAYER } from '../stores/example-store.ts';
import { FORGET_CARD } from './cards.job.ts';
import { USER_ID } from './payment-method.ts';
import { markPaymentMethodDeleted } from './payment-methods.db.ts';

const schema = {
  operationId: 'deletePaymentMethod',
  tags: ['Payment methods'],
  summary: 'Delete a payment method',
  description: 'The gateway forgets the card too.',
  example: { body: { user_id: EXAMPLE_PAYER.user_id, payment_method_id: '{payment_method_id}' } },
  body: Type.Object({
    user_id: USER_ID,
    payment_method_id: Type.String({ minLength: 1, maxLength: 255, description: 'Of that user.' }),
  }),
  response: {
    200: Type.Object({ status: Type.Literal('success') }, { description: 'It is gone; orders placed with it stay.' }),
  },
};

export function deletePaymentMethodRoute(http: Http, { db, clock, jobs }: { clock: Clock; db: Db; jobs: Jobs }): void {
  http.post(
    '/payment/delete',
    { schema, config: { refuses: ['payment_method_not_found'] } },
    async ({ caller, body }) =>
      db.transaction().execute(async (tx) => {
        const method = { userId: body.user_id, paymentMethodId: body.payment_method_id, at: clock.now() };
        const token = await markPaymentMethodDeleted(tx, caller, method);
        if (token === undefined) {
          throw new Refusal('payment_method_not_found', 'This user has no such payment method.');
        }
        await jobs.enqueue(tx, FORGET_CARD, { token, mode: caller.mode });
        return { status: 'success' as const };
      }),
  );
}
