import { Type } from 'typebox';

/** What every refusal looks like, for the API's description (decisions, section 3). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: 'For programs, such as invalid_request.' }),
    error: Type.String({ description: 'The same as detail.' }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(Type.Object({ in: Type.String(), name: Type.String(), message: Type.String() }))),
  },
  { additionalProperties: true, description: 'The request was refused (RFC 9457 problem details).' },
);
