import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyMode } from '../../access/accounts/account.ts';
import { budgetDay } from '../../access/budgets/budget.ts';
import { spendBudget } from '../../access/budgets/spend-budget.db.ts';
import type { Contact, Customer, SignInSite } from '../../access/customers/customer.ts';
import {
  countTry,
  deleteCode,
  findCode,
  findOrInsertCustomer,
  insertSession,
  joinContact,
  type SignInCode,
  saveCode,
} from '../../access/customers/customers.db.ts';
import { countAttempt } from '../../access/sessions/sessions.db.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import type { Client as RemoteClient } from '../../platform/http/client-of.ts';
import type { JobKind, Jobs } from '../../platform/jobs/jobs.ts';
import type { Language } from '../../platform/languages/language.ts';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

/*
 * The code by email or SMS that proves a customer's contact. It is bound to the browser that requested it. It is
 * computed from the service's secret and a nonce, so that neither the database nor its queue of jobs has it.
 */

const CODE_MINUTES = 10;
const RESEND_SECONDS = 30;
const MAX_TRIES = 5;
const NONCE_BYTES = 16;
const SESSION_DAYS = 30;
const SESSION_BYTES = 24;

/** Codes that one contact gets, and one address asks for. */
const BOUNDS = {
  contact: [
    { max: 5, minutes: 60 },
    { max: 10, minutes: 24 * 60 },
  ],
  address: [{ max: 20, minutes: 60 }],
};

/** The contacts of the sandbox, which is sent nothing, and their code. */
const SANDBOX_CONTACT = /@example\.com$/;
const SANDBOX_CODE = '000000';

/** A code waits to be sent to the contact of a browser. */
export type CodeToSend = { browserHash: string; accountId: string };
export const SEND_SIGN_IN_CODE: JobKind<CodeToSend> = { name: 'send-sign-in-code' };

export type CodeDeps = Context & { config: Config; jobs: Jobs; messaging: Messaging; tokens: TokenSealer };

type Asking = { browser: string; contact: Contact; client: RemoteClient; language: Language };

/** The browser that signs in, by the random text of its cookie. */
const hashOfBrowser = (browser: string): Buffer => sha256(browser);

/**
 * Asks for a code for a contact. Returns `tooMany` beyond the limits of the contact or the address, and `noSms` for a
 * phone number that none can be sent to.
 */
export async function askForCode(
  deps: Omit<CodeDeps, 'tokens'>,
  { accountId, mode }: SignInSite,
  { browser, contact, client, language }: Asking,
): Promise<'sent' | 'tooMany' | 'noSms'> {
  const { db, clock, jobs } = deps;
  const at = clock.now();
  if (contact.kind === 'phone' && !canText(deps, mode, contact.value)) return 'noSms';
  const browserHash = hashOfBrowser(browser);
  const pending = await findCode(db, { browserHash, accountId }, at);
  const isRecent = pending !== undefined && pending.createdAt.until(at).total('seconds') < RESEND_SECONDS;
  if (isRecent && pending.contact === contact.value) return 'sent';
  const contactName = sha256(`${accountId}\n${mode}\n${contact.value}`).toString('base64url');
  if (!(await isWithin(db, `to ${contactName}`, BOUNDS.contact, at))) return 'tooMany';
  const isCounted = client.kind === 'single';
  if (isCounted && !(await isWithin(db, `from ${client.name}`, BOUNDS.address, at))) return 'tooMany';
  const code = { browserHash, accountId, mode, contact: contact.value, nonce: randomBytes(NONCE_BYTES), language };
  return db.transaction().execute(async (tx) => {
    if (mode === 'live' && !(await spendMessage(deps, tx, accountId, contact, at))) {
      return contact.kind === 'phone' ? 'noSms' : 'tooMany';
    }
    await saveCode(tx, { ...code, createdAt: at, expiresAt: at.add({ minutes: CODE_MINUTES }) });
    const job = { browserHash: browserHash.toString('base64url'), accountId };
    if (mode === 'live') await jobs.enqueue(tx, SEND_SIGN_IN_CODE, job);
    return 'sent';
  });
}

const canText = ({ config, messaging }: Pick<CodeDeps, 'config' | 'messaging'>, mode: KeyMode, phone: string) =>
  mode === 'live' && messaging.smsSender !== undefined && isInSmsReach(phone, config.smsCountries);

/** Counts a message in the account's budget of the day; false if it is used up. */
async function spendMessage(
  { config }: Pick<CodeDeps, 'config'>,
  tx: Sql,
  accountId: string,
  { kind: contactKind }: Contact,
  at: Temporal.Instant,
): Promise<boolean> {
  const kind = contactKind === 'phone' ? 'sms' : 'emails';
  const max = config.dailyBudgets[kind];
  return spendBudget(tx, { accountId, mode: 'live', kind, day: budgetDay(at), used: 1, max });
}

async function isWithin(
  sql: Sql,
  name: string,
  bounds: readonly { max: number; minutes: number }[],
  at: Temporal.Instant,
): Promise<boolean> {
  for (const { max, minutes } of bounds) {
    const { count } = await countAttempt(sql, { name: `codes ${minutes} ${name}`, minutes }, at);
    if (count > max) return false;
  }
  return true;
}

/** The code that a browser waits for; undefined if there is none. */
export async function findPendingCode(
  { db, clock }: Pick<CodeDeps, 'db' | 'clock'>,
  { accountId }: Pick<SignInSite, 'accountId'>,
  browser: string,
): Promise<SignInCode | undefined> {
  return findCode(db, { browserHash: hashOfBrowser(browser), accountId }, clock.now());
}

export async function dropCode(sql: Sql, { accountId }: SignInSite, browser: string): Promise<void> {
  await deleteCode(sql, { browserHash: hashOfBrowser(browser), accountId });
}

/** The six digits of a code. */
export function digitsOf({ sign }: Pick<TokenSealer, 'sign'>, { mode, contact, nonce }: SignInCode): string {
  if (mode === 'sandbox' && SANDBOX_CONTACT.test(contact)) return SANDBOX_CODE;
  const bytes = Buffer.from(sign('sign-in-code', Buffer.concat([nonce, Buffer.from(contact)])), 'base64url');
  return String(bytes.readBigUInt64BE() % 1_000_000n).padStart(6, '0');
}

/**
 * Signs a browser in with the code that it waits for: makes its customer, on the first sign-in with this contact, and
 * opens a session. In a session of `customer`, joins the contact to this customer. Undefined for a wrong, used or
 * expired code, and after five tries. Order data is no proof of a contact, so nothing of earlier orders becomes a new
 * customer's; `notJoined`: nor does another customer's contact, or a second contact of a kind.
 */
export async function signInWithCode(
  { db, clock, tokens }: Pick<CodeDeps, 'db' | 'clock' | 'tokens'>,
  { accountId, mode }: SignInSite,
  { browser, digits, customer }: { browser: string; digits: string; customer: Customer | undefined },
): Promise<
  | { session?: { token: string; expiresAt: Temporal.Instant }; notJoined?: 'contactTaken' | 'contactKept' | undefined }
  | undefined
> {
  const at = clock.now();
  const key = { browserHash: hashOfBrowser(browser), accountId };
  const code = await countTry(db, key, { max: MAX_TRIES, at });
  if (code?.mode !== mode || !timingSafeEqual(sha256(digits), sha256(digitsOf(tokens, code)))) return undefined;
  // Used up even where the contact cannot be joined.
  if (!(await deleteCode(db, { ...key, nonce: code.nonce }))) return undefined;
  if (customer) return { notJoined: await joinContact(db, customer, code.contact) };
  const token = randomId('', SESSION_BYTES);
  const expiresAt = at.add({ hours: 24 * SESSION_DAYS });
  return db.transaction().execute(async (tx) => {
    const found = { accountId, mode, contact: code.contact, userId: randomId('cus_'), language: code.language };
    await insertSession(tx, await findOrInsertCustomer(tx, found, at), { tokenHash: sha256(token), expiresAt });
    return { session: { token, expiresAt } };
  });
}
