import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { contentAnswer, emptyAnswer } from './content-answers.ts';
import { withForms } from './form-body.ts';
import type { Http, RefusalPage, RequestExample } from './http.ts';
import type { RefusalCode } from './refusal.ts';
import type { SecurityHeaders } from './security-headers.ts';

/*
 * A page with a form, which works without scripts: GET shows it and changes nothing; POST takes its fields, and answers
 * with a page, such as the form again with the errors alongside its fields, or redirects.
 */

/** A page, 200 by default, or where the browser continues. */
export type FormAnswer = { status?: number; html: string } | { location: string };

/** The API description of one of the two requests. */
type Described = { operationId: string; summary: string; description: string; example?: RequestExample };
type Answers = Readonly<Record<number, TSchema>>;

/** A request of either kind; a GET has no `body`. */
export type FormRequest<Params extends TObject, Query extends TObject, Fields extends TObject> = Pick<
  FastifyRequest,
  'headers' | 'method' | 'url' | 'client'
> & { params: Static<Params>; query: Static<Query>; body: Static<Fields> | undefined };

type FormPage<Params extends TObject, Query extends TObject, Fields extends TObject, Visit> = {
  path: string;
  params?: Params;
  shows: Described & { query: Query; answers: Answers };
  /** `next` is the target of the 303, and `location` the value of its header. */
  takes: Described & { query?: TObject; fields: Fields; next: string; location?: object; answers: Answers };
  refuses: readonly RefusalCode[];
  /** Codes that only the form returns, in addition to every body's. */
  formRefuses?: readonly RefusalCode[];
  refusalPage: RefusalPage;
  security: SecurityHeaders;
  /** Finds the page's subject, and sets the response's headers. A form of another site is refused here. */
  begin(request: FormRequest<Params, Query, Fields>, reply: FastifyReply): Promise<Visit>;
  show(visit: Visit, query: Static<Query>): FormAnswer | Promise<FormAnswer>;
  take(visit: Visit, fields: Static<Fields>): FormAnswer | Promise<FormAnswer>;
};

/** The response of a status that is a page. */
export const pageAnswer = (description: string) => contentAnswer(description, ['text/html']);

const PAGE = pageAnswer('The page.');
const LOCATION = { type: 'string', description: 'The page.' };
const FORM = 'application/x-www-form-urlencoded';

export function formPage<Params extends TObject, Query extends TObject, Fields extends TObject, Visit>(
  http: Http,
  form: FormPage<Params, Query, Fields, Visit>,
): void {
  const { path, shows, takes, refuses, formRefuses = [], refusalPage, security, begin } = form;
  const common = form.params && { params: form.params };
  const { query, answers, ...shown } = shows;
  const getSchema = { ...shown, ...common, querystring: query, response: { 200: PAGE, ...answers } };
  http.get(
    path,
    { schema: getSchema, config: { public: true, refuses, refusalPage }, security },
    async (got, reply) => {
      const request = got as unknown as FormRequest<Params, Query, Fields>;
      return sendForm(reply, await form.show(await begin(request, reply), request.query));
    },
  );
  const { fields, next, location = LOCATION, query: formQuery, answers: formAnswers, ...taken } = takes;
  const postSchema = {
    ...taken,
    ...common,
    consumes: [FORM],
    ...(formQuery && { querystring: formQuery }),
    body: fields,
    response: { 303: emptyAnswer(next, { Location: location }), ...formAnswers },
  };
  const codes = [...refuses, ...formRefuses, 'body_too_large', 'unsupported_media_type'] as const;
  withForms(http, (scope) => {
    const options = { schema: postSchema, config: { public: true, refuses: codes, refusalPage }, security } as const;
    scope.post(path, options, async (posted, reply) => {
      const request = posted as unknown as FormRequest<Params, Query, Fields>;
      const visit = await begin(request, reply);
      return sendForm(reply, await form.take(visit, request.body as Static<Fields>));
    });
  });
}

export function sendForm(reply: FastifyReply, answer: FormAnswer): never {
  if ('html' in answer) return reply.code(answer.status ?? 200).send(answer.html) as never;
  reply.removeHeader('content-type');
  return reply.code(303).header('location', answer.location).send(undefined) as never;
}
