import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import { pageOrProblem } from '../../platform/http/content-answers.ts';
import { type FormAnswer, formPage } from '../../platform/http/form-page.ts';
import type { Http, RequestExample } from '../../platform/http/http.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import { limitVisits } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from './brand.ts';
import { findTracked, LinkSchema, type Visit } from './find-tracked.flow.ts';
import { siteUrlOf } from './site-frame.flow.ts';
import { beginPage, missingOrProblem, refusalPageOf, type TrackingDeps } from './site-page.hook.ts';
import type { TrackedOrder } from './tracked-order.ts';
import type { Frame } from './tracking.page.ts';

/*
 * The pages where a customer changes an order (cancel, tip, notes, report a problem): the link's `key` is the
 * permission.
 */

/** Maximum visits and submissions per customer link and minute. A person needs two. */
const VISITS_PER_MINUTE = 20;

/** A visit of such a page, with the order that it is about. */
export type OrderVisit = { frame: Frame; visit: Visit; tracked: TrackedOrder; accept: string | undefined };

type Words = { operationId: string; summary: string; description: string };

type OrderForm<Query extends TProperties, Fields extends TProperties> = {
  name: 'cancel' | 'tip' | 'notes' | 'problem';
  /** Error codes in addition to every such page's. */
  refuses?: readonly RefusalCode[];
  /** The sentence for a form of another site. */
  crossSite: string;
  /** What 404 means. */
  none?: string;
  /** The response 409. */
  cannot: TSchema;
  shows: Words & { query?: Query; answers?: Readonly<Record<number, TSchema>> };
  takes: Words & { fields?: Fields; sent?: object; next?: string; answers?: Readonly<Record<number, TSchema>> };
  /** Whether the page exists for an order; by default, it does for every order. */
  isFor?(tracked: TrackedOrder): boolean;
  /** The page that says why the order cannot be changed here; undefined if it can. */
  refusal?(visit: OrderVisit): string | undefined;
  show(visit: OrderVisit, query: Static<ReturnType<typeof Type.Object<Query>>>): FormAnswer;
  take(visit: OrderVisit, fields: Static<ReturnType<typeof Type.Object<Fields>>>): Promise<FormAnswer>;
};

/** GET and POST {tracking_url}/tracking/{name}. */
export function orderForm<Query extends TProperties, Fields extends TProperties>(
  http: Http,
  deps: TrackingDeps,
  form: OrderForm<Query, Fields>,
): void {
  const { config, clock } = deps;
  const { refuses = [], none = 'No order has this `tracking_id`', cannot, refusal } = form;
  const { query, answers: shown, ...shows } = form.shows;
  const { fields, sent, next = "Redirects to the order's page.", answers: taken, ...takes } = form.takes;
  const link = { tracking_id: '{order_id}', key: '{key}' };
  const refused = { 404: pageOrProblem(none), 409: cannot };
  const count = limitVisits(VISITS_PER_MINUTE, clock);
  const answer = async (
    { frame, visit, accept }: Omit<OrderVisit, 'tracked'>,
    of: (visit: OrderVisit) => FormAnswer | Promise<FormAnswer>,
  ) => {
    const { tracked } = visit;
    if (!tracked || form.isFor?.(tracked) === false) return { status: 404, html: missingOrProblem(frame, accept) };
    const page = { frame, visit, tracked, accept };
    const html = refusal?.(page);
    return html === undefined ? of(page) : { status: 409, html };
  };
  formPage(http, {
    path: `/tracking/${form.name}`,
    shows: {
      ...shows,
      example: { query: link },
      query: Type.Object({ ...LinkSchema.properties, ...(query as Query) }),
      answers: { ...refused, ...shown },
    },
    takes: {
      ...takes,
      example: { body: { ...link, ...sent } } satisfies RequestExample,
      fields: Type.Object({ ...LinkSchema.properties, ...(fields as Fields) }),
      next,
      answers: { ...refused, ...taken },
    },
    refuses: ['order_not_found', 'rate_limited', 'not_ready', ...refuses],
    formRefuses: ['cross_site_request'],
    refusalPage: refusalPageOf(deps),
    security: formSecurity(config, DEFAULT_BRAND),
    async begin(request, reply) {
      const { headers } = request;
      const visit = await findTracked(deps, headers, request.body ?? request.query);
      const frame = await beginPage(deps, visit, reply, formSecurity);
      refuseCrossSite(request, siteUrlOf(config, visit), form.crossSite);
      if (visit.key !== null) count(visit.key);
      return { frame, visit, accept: headers.accept };
    },
    show: (begun, query) => answer(begun, (visit) => form.show(visit, query as never)),
    take: (begun, entered) => answer(begun, (visit) => form.take(visit, entered as never)),
  });
}

/** The way from a form to the order's page. */
export function toOrder({ frame: { pagePath, linkQuery } }: Pick<OrderVisit, 'frame'>, page = '', more = '') {
  return { location: `${pagePath}${page}?${linkQuery}${more}` };
}

/** Describes a field of a form that is read as text, or absent. */
export const sentText = (maxLength: number, description: string) => optionalText(maxLength, description);
