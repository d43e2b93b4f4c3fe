import { join } from 'node:path';
import { html, toMarkup } from 'doorstep/html';
import { authenticateSession } from '../../access/sessions/authenticate-console.hook.ts';
import { sessionCookie } from '../../access/sessions/console-cookie.ts';
import { renewSession } from '../../access/sessions/sign-in.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pageSecurity } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { Clock } from '../../platform/lib/clock.ts';

/* Serves the operator's page and its files. */

export const PAGE_HEADERS = {
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
};

const pageSchema = {
  operationId: 'readOperatorPage',
  summary: 'Open the operator dashboard',
  description:
    "Shows a page for browsers with the data from the `Operator` endpoints. Renews the session's token once a day.",
  response: {
    200: contentAnswer('The page.', ['text/html']),
    302: emptyAnswer('A browser without an operator session is redirected to sign in.', {
      Location: { type: 'string', description: 'The page for operators and stores to sign in.' },
    }),
  },
};

type OperatorPageDeps = { config: Config; db: Db; clock: Clock; quietBecause: string | undefined };

/** GET /console/operator, and the page's files. */
export function operatorPageRoutes(http: Http, deps: OperatorPageDeps): void {
  const { config, db, clock } = deps;
  const security = pageSecurity(config.baseUrl, {
    'img-src': ["'self'", 'data:', 'https:'],
    'font-src': ["'self'"],
  });
  const basePath = new URL(config.baseUrl).pathname.replace(/\/$/, '');
  http.get(
    '/console/operator',
    { schema: pageSchema, config: { public: true, refuses: ['not_ready'] } as const, security },
    async (request, reply) => {
      const session = await authenticateSession(deps, request).catch((error) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      });
      reply.headers(PAGE_HEADERS);
      if (session?.storeId !== null) return reply.redirect(`${basePath}/console`, 302) as never;
      const now = clock.now();
      const renewed = await renewSession(db, session, now);
      if (renewed) {
        const { token, expiresAt } = renewed;
        reply.header('set-cookie', sessionCookie(token, { now, expiresAt }, config.baseUrl));
      }
      return reply.type('text/html; charset=utf-8').send(operatorPage(await operatorFrame(config), deps.quietBecause));
    },
  );
  const page = { folder: '/console/operator/assets', operationId: 'readOperatorFile', page: "the operator's view" };
  serveWebFiles(http, { ...page, bundles: [operatorFiles], security });
}

const FOLDER = join(import.meta.dirname, '../../../web/operator');

/** The operator view's files, bundled once per process. */
const operatorFiles = bundleOnce(FOLDER, { script: 'page.tsx', style: 'page.css', icon: 'icon.svg' });

/** Paths of the page's files, and the prefix of the service's routes (empty, or BASE_URL's path). */
type OperatorFrame = { base: string; scriptPath: string; stylePath: string; iconPath: string };

export async function operatorFrame({ baseUrl }: Pick<Config, 'baseUrl'>): Promise<OperatorFrame> {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const { script, style, icon } = await operatorFiles();
  const assetPath = ({ name }: { name: string }) => `${base}/console/operator/assets/${name}`;
  return { base, scriptPath: assetPath(script), stylePath: assetPath(style), iconPath: assetPath(icon) };
}

/** The frame of the page, which its script fills with data from operators' routes. */
function operatorPage({ base, scriptPath, stylePath, iconPath }: OperatorFrame, quiet: string | undefined): string {
  return `<!doctype html>${toMarkup(html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Operator · Doorstep</title>
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script type="module" src="${scriptPath}"></script>
</head>
<body data-base="${base}">${quiet && html`<p class="fault" role="alert">${quiet}</p>`}<div id="app"><p class="boot">Loading the operator's view…</p></div>
<noscript><p class="boot">The operator's view needs JavaScript.</p></noscript>
</body>
</html>`)}`;
}
