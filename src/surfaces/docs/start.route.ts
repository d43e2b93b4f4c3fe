import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { findDefaultShop } from '../../access/accounts/shops.db.ts';
import { parseMailbox } from '../../notify/outbox/mailbox.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { contentAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { pageSecurity } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { staticAnswer } from '../../platform/http/static-answer.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { startPage } from './start.page.ts';

export type StartPageOptions = { config: Config; clock: Clock; db: Db };

const FOLDER = join(import.meta.dirname, '../../../web/start');
export const startFiles = bundleOnce(FOLDER, { style: 'page.css', icon: '../reference/icon.svg' });

/** Lifetime of security.txt; RFC 9116, section 2.5.5, recommends less than a year. */
const CONTACT_LIFETIME = { hours: 24 * 90 };
/** Excludes pages of a single person or store from crawling. */
const ROBOTS = `User-agent: *
Disallow: /tracking
Disallow: /console
Disallow: /driver
Disallow: /operator
`;

const describe = (operationId: string, summary: string, description: string, response: Record<number, object>) => ({
  operationId,
  summary,
  description,
  response,
});
const TEXT = (description: string) => contentAnswer(description, ['text/plain']);

/** Registers the well-known paths for browsers, crawlers and security researchers. No key needed. */
export function startRoutes(http: Http, { config, clock, db }: StartPageOptions): void {
  const { baseUrl, mailFrom, publicDocs, securityContact } = config;
  const contact = securityContact ?? `mailto:${parseMailbox(mailFrom).address}`;
  const security = pageSecurity(baseUrl);
  const open = { public: true, conditional: true } as const;
  const front = { ...open, refuses: ['route_not_found'] } as const;
  const sendPage = staticAnswer('text/html; charset=utf-8', async () => {
    const { style, icon } = await startFiles();
    const files = { style: `start/${style.name}`, icon: `start/${icon.name}` };
    const hasShop = (await findDefaultShop(db)) !== undefined;
    return startPage({ version: manifest.version, baseUrl, hasDocs: publicDocs, hasShop, files });
  });
  const pageSchema = describe(
    'readStart',
    'The start page',
    "How to get a key, a first request, and links to the documentation and consoles. At an account's custom domain, the account's shop.",
    { 200: contentAnswer('The page.', ['text/html']), 404: pageOrProblem("The shop's only store is gone") },
  );
  http.get('/', { config: front, schema: pageSchema, security }, async (request, reply) => {
    // The router also passes the path `*` to this route.
    if (!request.url.startsWith('/')) return reply.callNotFound() as never;
    return sendPage(request, reply);
  });

  const files = { folder: '/start', operationId: 'readStartFile', page: 'the start page' };
  serveWebFiles(http, { ...files, bundles: [startFiles], security });

  const iconSchema = describe('readFavicon', 'The icon of the host', 'Used by browsers that request no other icon.', {
    200: contentAnswer('The icon.', ['image/svg+xml']),
  });
  const sendIcon = staticAnswer('image/svg+xml', async () => (await startFiles()).icon.bytes);
  http.get('/favicon.ico', { config: open, schema: iconSchema, security }, sendIcon);

  const robotsSchema = describe(
    'readRobots',
    'What crawlers may read',
    'Follows the Robots Exclusion Protocol (RFC 9309).',
    { 200: TEXT('The rules.') },
  );
  const sendRobots = staticAnswer('text/plain; charset=utf-8', () => ROBOTS);
  http.get('/robots.txt', { config: open, schema: robotsSchema }, sendRobots);

  const contactSchema = describe(
    'readSecurityContact',
    'Where to report a vulnerability',
    'Follows RFC 9116. The contact is `SECURITY_CONTACT`, or the address in `MAIL_FROM`.',
    { 200: TEXT('The contact and its expiration.') },
  );
  http.get(
    '/.well-known/security.txt',
    { config: { public: true }, schema: contactSchema },
    async (_request, reply) => {
      const expires = clock.now().add(CONTACT_LIFETIME).toString({ smallestUnit: 'second' });
      const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en'];
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
    },
  );
}
