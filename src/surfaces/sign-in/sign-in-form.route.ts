import type { FastifyReply } from 'fastify';
import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import type { Branding } from '../../access/accounts/branding.ts';
import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import { cookieHeader, formToken, isFormToken, readCookie } from '../../access/customers/browser.ts';
import { type Customer, readContact, type SignInSite } from '../../access/customers/customer.ts';
import { deleteSession, findSessionCustomer } from '../../access/customers/customers.db.ts';
import { type FormAnswer, formPage, pageAnswer } from '../../platform/http/form-page.ts';
import type { Http, RequestExample } from '../../platform/http/http.ts';
import { parseLanguage } from '../../platform/languages/language.ts';
import { LANG } from '../../platform/languages/page-language.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { DEFAULT_BRAND, formSecurity } from '../tracking/brand.ts';
import { visitSite } from '../tracking/find-tracked.flow.ts';
import { beginPage, refusalPageOf, WITHOUT_ORDER } from '../tracking/site-page.hook.ts';
import type { Frame } from '../tracking/tracking.page.ts';
import { requireSite } from './metadata.route.ts';
import { codePage, contactPage, notePage, type SignInPage } from './sign-in.page.ts';
import { askForCode, type CodeDeps, dropCode, findPendingCode, signInWithCode } from './sign-in-code.flow.ts';

/*
 * A page for signed-in customers: a browser without a session is first shown the steps of the sign-in, at the same
 * address. A step that succeeds leads back to it.
 */

const BROWSER_BYTES = 32;
const BROWSER_SECONDS = 86_400;

export type SignInDeps = CodeDeps & { trackingSites: Pick<TrackingSites, 'ownHosts'> };

/** A visit of such a page; `Prepared` is the page's data from before the sign-in. */
export type SignInVisit<Prepared = unknown> = {
  site: SignInSite;
  page: SignInPage;
  branding: Branding | undefined;
  prepared: Prepared;
  /** Path and query of the page. */
  address: string;
  client: Parameters<typeof askForCode>[2]['client'];
  browser: string;
  session: string | undefined;
  customer: Customer | undefined;
  /** Whether a form is one of this browser's own, and recent. */
  isOwnForm: boolean;
  reply: FastifyReply;
};
export type SignedInVisit<Prepared = unknown> = SignInVisit<Prepared> & { customer: Customer };

/** A page's data from before the sign-in: the origins that its form may lead to. */
type Prepared = { targets: readonly string[] };

type Words = { operationId: string; summary: string; description: string; example?: RequestExample };
type SignInForm<Query extends TProperties, Found extends Prepared> = {
  path: string;
  query: Query;
  shows: Words;
  takes: Words & { next: string };
  answers?: Readonly<Record<number, TSchema>>;
  prepare(site: SignInSite, query: Record<string, string | undefined>): Promise<Found>;
  /** A response in place of the sign-in: the request itself is wrong. */
  refuse?(found: Found, frame: Frame): FormAnswer | undefined;
  /** The initial value of the contact field. */
  hintOf?(found: Found): string;
  show(visit: SignedInVisit<Found>): FormAnswer | Promise<FormAnswer>;
  take(visit: SignedInVisit<Found>, fields: SentFields): FormAnswer | Promise<FormAnswer>;
};

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));
const FIELDS = Type.Object({
  csrf: text(200, "The token of the page's form."),
  step: text(20, 'The pressed button.'),
  contact: text(254, 'An email address or a phone number.'),
  code: text(40, 'The code from the email or text message.'),
  grant_id: text(64, 'A connection from the list.'),
  card: text(64, 'A saved card to remove.'),
  address: text(1000, 'A saved address to remove.'),
  complete: text(3, '`yes`: the client can place orders.'),
  limit: text(20, 'The maximum amount of such an order, as typed.'),
});
export type SentFields = Static<typeof FIELDS>;

/** GET and POST of a page for signed-in customers. */
export function signInForm<Query extends TProperties, Found extends Prepared>(
  http: Http,
  deps: SignInDeps,
  form: SignInForm<Query, Found>,
): void {
  const { db, clock, config, tokens } = deps;
  const { next, ...takes } = form.takes;
  const query = Type.Object({ ...form.query, ...LANG });
  const problems = { 400: pageAnswer('The request is invalid, and a page says so.'), ...form.answers };
  formPage(http, {
    path: form.path,
    shows: { ...form.shows, query, answers: problems },
    takes: {
      ...takes,
      query,
      fields: FIELDS,
      next,
      answers: {
        ...problems,
        403: pageAnswer('The form belongs to another browser or is older than 15 minutes. A page says so.'),
        422: pageAnswer('The contact or code is incorrect, and the page says so.'),
      },
    },
    refuses: ['route_not_found', 'rate_limited', 'not_ready'],
    refusalPage: refusalPageOf(deps),
    security: { ...formSecurity(config, DEFAULT_BRAND), 'referrer-policy': 'no-referrer' },
    async begin(request, reply) {
      const { headers, method, url, client } = request;
      const site = requireSite(deps, request);
      const sent = request.query as Record<string, string | undefined>;
      const prepared = await form.prepare(site, sent);
      const languages = [sent.lang, ...(sent.ui_locales ?? '').split(' '), sent.user_locale];
      const chosen = languages.find((tag) => tag !== undefined && parseLanguage(tag) !== undefined);
      const visited = await visitSite(db, headers, undefined, chosen);
      const frame = await beginPage(
        deps,
        { ...visited, ...WITHOUT_ORDER },
        reply,
        (...shown: Parameters<typeof formSecurity>) => ({
          ...formSecurity(shown[0], shown[1], prepared.targets),
          'referrer-policy': 'no-referrer',
        }),
      );
      const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
      const session = readCookie(headers.cookie, 'session', site.issuer);
      const known = readCookie(headers.cookie, 'browser', site.issuer);
      const browser = known ?? randomId('', BROWSER_BYTES);
      if (known === undefined) addCookie(reply, cookieHeader('browser', browser, BROWSER_SECONDS, site.issuer));
      const binding = { browser, session, address: `${form.path}${search}` };
      const now = clock.now();
      return {
        site,
        page: {
          frame: { ...frame, languageQuery: languageQueryOf(search) },
          token: formToken(tokens, binding, now),
          isSandbox: site.mode === 'sandbox',
        },
        branding: visited.branding,
        prepared,
        address: binding.address,
        client,
        browser,
        session,
        customer: await findSessionCustomer(db, session, site, now),
        isOwnForm:
          method === 'POST' &&
          isSameSite(headers['sec-fetch-site']) &&
          isFormToken(tokens, binding, request.body?.csrf ?? '', now),
        reply,
      } as SignInVisit<Found>;
    },
    async show(visit) {
      const refused = form.refuse?.(visit.prepared, visit.page.frame);
      if (refused) return refused;
      if (visit.customer) return form.show(visit as SignedInVisit<Found>);
      return showStep(deps, visit, form.hintOf?.(visit.prepared) ?? '');
    },
    async take(visit, fields) {
      const refused = form.refuse?.(visit.prepared, visit.page.frame);
      if (refused) return refused;
      if (!visit.isOwnForm)
        return { status: 403, html: notePage(visit.page, visit.page.frame.locale.words.signIn.expired, visit.address) };
      const step = await takeStep(deps, visit, fields);
      if (step) return step;
      return visit.customer ? form.take(visit as SignedInVisit<Found>, fields) : { location: visit.address };
    },
  });
}

const isSameSite = (site: unknown) => site === undefined || site === 'same-origin';

function addCookie(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', [reply.getHeader('set-cookie') ?? []].flat().map(String).concat(cookie));
}

/** The page's query, which links to other languages extend. */
function languageQueryOf(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['lang', 'ui_locales', 'user_locale']) query.delete(name);
  return query.size === 0 ? '' : `${query}&`;
}

/** The step that the browser is at: its code, or its contact. */
export async function showStep(deps: SignInDeps, visit: SignInVisit, typed: string): Promise<FormAnswer> {
  const pending = await findPendingCode(deps, visit.site, visit.browser);
  if (pending) return { html: codePage(visit.page, pending) };
  return { html: contactPage(visit.page, typed) };
}

/** Takes a step of the sign-in or ends the session; undefined for a form of the page itself. */
async function takeStep(deps: SignInDeps, visit: SignInVisit, sent: SentFields): Promise<FormAnswer | undefined> {
  const { site, page, browser, session, reply, address } = visit;
  switch (sent.step) {
    case 'contact':
      return takeContact(deps, visit, sent.contact ?? '');
    case 'resend': {
      const pending = await findPendingCode(deps, site, browser);
      const sending = pending ? await sendCode(deps, visit, pending.contact) : 'sent';
      if (pending && sending !== 'sent') return { status: 422, html: codePage(page, { ...pending, isBeyond: true }) };
      return { location: address };
    }
    case 'restart':
      await dropCode(deps.db, site, browser);
      return { location: address };
    case 'code': {
      const pending = await findPendingCode(deps, site, browser);
      const digits = (sent.code ?? '').replaceAll(/\D/g, '');
      const { customer } = visit;
      const opened = pending && (await signInWithCode(deps, site, { browser, digits, customer }));
      if (opened?.notJoined)
        return {
          status: 422,
          html: notePage(page, page.frame.locale.words.signIn.contactFault[opened.notJoined], address),
        };
      if (opened?.session) {
        const { token, expiresAt } = opened.session;
        const seconds = Math.round(deps.clock.now().until(expiresAt).total('seconds'));
        addCookie(reply, cookieHeader('session', token, seconds, site.issuer));
      }
      if (opened || !pending) return { location: address };
      return { status: 422, html: codePage(page, { ...pending, isWrong: true }) };
    }
    case 'sign_out':
      if (session !== undefined) await deleteSession(deps.db, session);
      addCookie(reply, cookieHeader('session', '', 0, site.issuer));
      return { location: address };
    default:
      return undefined;
  }
}

async function takeContact(deps: SignInDeps, visit: SignInVisit, typed: string): Promise<FormAnswer> {
  const fault = await sendCode(deps, visit, typed);
  return fault === 'sent' ? { location: visit.address } : { status: 422, html: contactPage(visit.page, typed, fault) };
}

async function sendCode(
  deps: SignInDeps,
  { site, browser, client, page }: SignInVisit,
  typed: string,
): Promise<'sent' | 'badContact' | 'noSms' | 'tooMany'> {
  const contact = readContact(typed);
  if (!contact) return 'badContact';
  const { language } = page.frame.locale;
  return askForCode(deps, site, { browser, contact, client, language });
}
