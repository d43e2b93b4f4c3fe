import { type Static, Type } from 'typebox';

/** The query of a tracking link, repeated in the form of the cancel page. */
export const LinkSchema = Type.Object({
  tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })),
  key: Type.Optional(
    Type.String({
      description: 'From `tracking_link`: lets the customer cancel. Without it the page is read-only.',
    }),
  ),
});
export type SentLink = Static<typeof LinkSchema>;
