import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { component } from '../../platform/http/api-components.ts';
import { REJECTIONS, type RejectedCode } from '../../supply/pricing/promotion.ts';

/* Codes of promotions that do not apply to an order, as answers and refusals show them. */

const RejectedCodeSchema = component('RejectedCode', 'A code that does not apply.', {
  code: Type.String({ description: 'As it was entered, in capital letters.' }),
  reason: Type.Enum([...REJECTIONS], {
    description: 'Why; `not_valid` is a code that there is not, or that has ended.',
  }),
  missing_cents: Type.Optional(Type.Integer({ description: 'With `minimum_not_met`: what the items lack of it.' })),
});

export const RejectedCodes = Type.Array(RejectedCodeSchema, {
  description: 'Codes of the request that do not apply; absent where all do.',
});

export function presentRejectedCodes(codes: readonly RejectedCode[]): Static<typeof RejectedCodes> {
  return codes.map(({ code, reason, missingCents }) => present({ code, reason, missing_cents: missingCents }));
}
