import { Type } from 'typebox';
import { openShortLink } from '../../notify/messages/shorten-links.flow.ts';
import { emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { findTracked } from './find-tracked.flow.ts';
import { beginPage, linkOptions, missingOrProblem, type TrackingDeps } from './site-page.hook.ts';

const schema = {
  operationId: 'followShortLink',
  summary: 'Open a short link from a text message',
  description:
    "Redirects to the full link: a tracking page, a checkout, an order page for the store or a driver's page.",
  example: { path: { short_code: '{short_code}' } },
  params: Type.Object({ short_code: Type.String({ description: "The link's code." }) }),
  response: {
    303: emptyAnswer('Redirects to the page.', { Location: { type: 'string', description: 'The page.' } }),
    404: pageOrProblem('No link has this code'),
  },
};

/** GET {site}/t/{code} leads to the page of an SMS link. */
export function shortLinkRoute(http: Http, deps: TrackingDeps): void {
  http.get('/t/:short_code', { schema, ...linkOptions(deps) }, async ({ params, headers }, reply) => {
    const path = await openShortLink(deps, params.short_code);
    // Relative, as a proxy may serve the site below a path.
    if (path !== undefined) return reply.code(303).header('location', `../${path}`).send(undefined);
    const frame = await beginPage(deps, await findTracked(deps, headers, {}), reply);
    return reply.code(404).send(missingOrProblem(frame, headers.accept));
  });
}
