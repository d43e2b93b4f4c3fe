import { Type } from 'typebox';
import { named, reference } from '../http/api-components.ts';
import { QUOTE_ERROR_MESSAGES, type QuoteErrorType } from '../quotes/quote-error.ts';

const ids = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const FaultSchema = Type.Object(
  {
    in: Type.Enum(['query', 'body', 'header', 'path'], { description: 'The part of the request.' }),
    name: Type.String({ description: 'The field, such as `items[0].quantity`; `body` where it is all of it.' }),
    message: Type.String({ description: 'What is wrong with it, to be read.' }),
  },
  named('Fault', 'One thing that is wrong with a request.'),
);

/** The schema of every refusal (docs/behaviour.md#problem-documents). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: '`urn:doorstep:error:` and the code.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What went wrong, to be read.' }),
    code: Type.String({ description: 'For programs, such as `invalid_request`.' }),
    error: Type.String({ description: 'The same as `detail`.' }),
    request_id: Type.String({ description: 'The same as the header `x-request-id`.' }),
    errors: Type.Optional(Type.Array(FaultSchema, { description: 'Everything that is wrong with the request.' })),
    decline_code: Type.Optional(
      Type.String({ description: 'With `payment_declined`: why, such as `insufficient_funds`.' }),
    ),
    authentication_url: Type.Optional(
      Type.String({
        description: 'With the `decline_code` `authentication_required`: where the customer approves the payment.',
      }),
    ),
    quote_error: Type.Optional(
      Type.Enum(Object.keys(QUOTE_ERROR_MESSAGES) as QuoteErrorType[], {
        description: 'With `quote_unavailable`: why the store cannot take the order.',
      }),
    ),
    invalid_product_ids: ids('The `product_id`s at fault; always there with `product_unavailable`.'),
    invalid_option_ids: ids(
      'The `option_id`s at fault; always there with `invalid_options`, and empty where choices are only missing.',
    ),
    final_quote: Type.Optional(reference('FinalQuote')),
    order_id: Type.Optional(
      Type.String({
        description:
          'With `quote_changed`: the order that has the new quote. With `authentication_required`: the order to finalize.',
      }),
    ),
  },
  named('Problem', 'The request was refused (RFC 9457 problem details).'),
);
