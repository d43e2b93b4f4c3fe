import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { component, describedObject, integer, text } from '../../platform/http/api-components.ts';
import { REJECTIONS, type RejectedCode } from '../pricing/promotion.ts';

/* Codes of promotions that do not apply to an order, as answers and errors show them. */

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const RejectedCodeSchema = component('RejectedCode', 'A promotion code that does not apply.', {
  code: text('The code as entered, in capital letters.'),
  reason: Type.Enum([...REJECTIONS], {
    description: 'Why the code does not apply. `not_valid`: the code is unknown or has expired.',
  }),
  missing_cents: Type.Optional(integer('With `minimum_not_met`, the amount the items lack to reach the minimum.')),
  items: Type.Optional(
    describedObject(
      'With `minimum_not_met`, the items that count. Absent: all items. Empty: items without a short name, such as more than three or a tax class.',
      {
        names: names('Categories and products. Absent: all but `except`.'),
        except: names('Categories and products that do not count.'),
      },
    ),
  ),
});

export const RejectedCodes = Type.Array(RejectedCodeSchema, {
  description: "The request's codes that do not apply. Absent if all of them apply.",
});

export function presentRejectedCodes(codes: readonly RejectedCode[]): Static<typeof RejectedCodes> {
  return codes.map(({ code, reason, missingCents, itemNames: items }) =>
    present({ code, reason, missing_cents: missingCents, items }),
  );
}
