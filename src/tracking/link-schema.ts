import { type Static, Type } from 'typebox';

/** The query of a tracking link, which the form of the cancel page repeats. */
export const LinkSchema = Type.Object({
  tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })),
  key: Type.Optional(
    Type.String({
      description: 'As in `tracking_link`: the permission to cancel. Without it the order is only shown.',
    }),
  ),
});
export type SentLink = Static<typeof LinkSchema>;
