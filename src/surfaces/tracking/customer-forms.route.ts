import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { refuseCrossSite } from '../../access/sessions/console-cookie.ts';
import type { RefusalCode } from '../../platform/http/refusal.ts';
import { limitPerMinute } from '../../platform/load/rate-limit.ts';
import { DEFAULT_BRAND, formSecurity } from './brand.ts';
import { findTracked, type SentLink, type VisitHeaders } from './find-tracked.flow.ts';
import { siteUrlOf } from './site-frame.flow.ts';
import type { Frame } from './tracking.page.ts';
import { beginPage, refusalPageOf, type TrackingDeps } from './tracking.route.ts';

/*
 * Shared by the pages on which a customer changes an order (cancel, tip, report a problem): the link's `key` is the
 * permission, a GET shows a form and changes nothing, a POST acts and redirects.
 */

/** Maximum visits and submissions per customer link and minute. A person needs two. */
const VISITS_PER_MINUTE = 20;

type FormRequest = Parameters<typeof refuseCrossSite>[0] & { headers: VisitHeaders };

/** Returns the options of both routes, and `begin`, with which each handler starts. */
export function customerForm<Code extends RefusalCode>(deps: TrackingDeps, codes: readonly Code[]) {
  const { config, clock } = deps;
  const security = formSecurity(config, DEFAULT_BRAND);
  const refusalPage = refusalPageOf(deps);
  const refuses = ['order_not_found', 'rate_limited', 'not_ready', ...codes] as const;
  const refusesForm = [...refuses, 'cross_site_request', 'body_too_large', 'unsupported_media_type'] as const;
  const count = limitPerMinute(
    VISITS_PER_MINUTE,
    clock,
    `At most ${VISITS_PER_MINUTE} visits a minute are possible with one link.`,
  );

  /** Finds the order, starts the page, and refuses a form of another site (with the sentence) or too many visits. */
  async function begin(request: FormRequest, sent: SentLink, reply: FastifyReply, crossSiteDetail?: string) {
    const visit = await findTracked(deps, request.headers, sent);
    const frame = await beginPage(deps, visit, reply, formSecurity);
    if (crossSiteDetail !== undefined) refuseCrossSite(request, siteUrlOf(config, visit), crossSiteDetail);
    if (visit.key !== null) count(visit.key);
    return { frame, visit, tracked: visit.tracked };
  }

  return {
    readOptions: { config: { public: true, refuses, refusalPage }, security },
    submitOptions: { config: { public: true, refuses: refusesForm, refusalPage }, security },
    begin,
  } as const;
}

/** Sends the browser from a form to a page of the order. */
export function seeOther(reply: FastifyReply, { pagePath, linkQuery }: Frame, page = '', more = '') {
  reply.removeHeader('content-type');
  return reply.code(303).header('location', `${pagePath}${page}?${linkQuery}${more}`).send(undefined);
}

/** Describes a member of a form that is read as text, or absent. */
export const sentText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
