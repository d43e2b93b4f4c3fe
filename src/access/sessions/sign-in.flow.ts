import { randomInt } from 'node:crypto';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import {
  type ConsoleOwner,
  type ConsoleSession,
  countAttempt,
  endOldStaffSessions,
  findAccessCode,
  insertAccessCode,
  insertSession,
  redeemCode,
  rotateSession,
} from './sessions.db.ts';

/** Characters that are not confused on paper or by phone: 31 of them, so 12 are 59 bits. */
const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 12;
const CODE_HOURS = 48;
const SESSION_DAYS = 30;
const ROTATE_HOURS = 24;
const TOKEN_BYTES = 24;
/** Maximum failed codes per minute, client and store; further ones are rate limited. */
const MAX_FAILURES = 20;

/** Maximum open sessions of a staff member; a further sign-in ends the oldest. */
const MAX_STAFF_SESSIONS = 10;

/** Issues a code that opens one console session. Only the code's hash is stored. */
export async function issueAccessCode(
  sql: Sql,
  { storeId = null, accountId = null, operatorId = null }: Partial<Omit<ConsoleOwner, 'staffId'>>,
  at: Temporal.Instant,
): Promise<{ code: string; expiresAt: Temporal.Instant }> {
  const code = randomCode();
  const expiresAt = at.add({ hours: CODE_HOURS });
  const owner = { storeId, accountId, operatorId, staffId: null };
  await insertAccessCode(sql, { codeHash: hashOfCode(code), ...owner, at, expiresAt });
  return { code, expiresAt };
}

/** Prefix of operators' keys. A key is a session without a cookie: it is listed and revoked as one. */
export const OPERATOR_KEY_PREFIX = 'ds_op_';

/** Issues an operator's key. Only its hash is stored. */
export async function issueOperatorKey(
  sql: Sql,
  { operatorId, label, days }: { operatorId: string; label: string; days: number },
  at: Temporal.Instant,
): Promise<{ sessionId: string; key: string; expiresAt: Temporal.Instant }> {
  const key = randomId(OPERATOR_KEY_PREFIX, TOKEN_BYTES);
  const sessionId = randomId('ses_', 12);
  const expiresAt = at.add({ hours: days * 24 });
  const owner = { storeId: null, accountId: null, operatorId, staffId: null };
  await insertSession(sql, { ...owner, sessionId, device: label, tokenHash: sha256(key), at, expiresAt });
  return { sessionId, key, expiresAt };
}

/** Issues the code of a staff member, which signs in as often as needed until it is deleted. */
export async function issueStaffCode(
  sql: Sql,
  { storeId, staffId }: { storeId: string; staffId: string },
  at: Temporal.Instant,
): Promise<string> {
  const code = randomCode();
  const owner = { storeId, staffId, accountId: null, operatorId: null };
  await insertAccessCode(sql, { codeHash: hashOfCode(code), ...owner, at, expiresAt: null });
  return code;
}

function randomCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)] ?? '');
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Hashes a code without its spaces, hyphens and case. */
const hashOfCode = (code: string): Buffer => sha256(code.toUpperCase().replaceAll(/[\s-]/g, ''));

type SignInDeps = {
  db: Db;
  clock: Clock;
  onStoreSignIn(tx: Sql, storeId: string, at: Temporal.Instant): Promise<unknown>;
};

export type OpenedSession = { token: string; storeId: string | null; expiresAt: Temporal.Instant };

/**
 * Opens a session with a code; `onStoreSignIn` runs in the redeeming transaction. Failed codes get
 * `invalid_access_code`, and `rate_limited` from the 21st a minute per client and store. A valid code always works, so
 * attackers cannot lock a store out: it has 59 random bits.
 */
export async function signIn(
  { db, clock, onStoreSignIn }: SignInDeps,
  code: string,
  { client, device }: { client: string; device: string },
): Promise<OpenedSession> {
  const at = clock.now();
  const codeHash = hashOfCode(code);
  const known = await findAccessCode(db, codeHash);
  if (known) {
    const opened = await openSession({ db, onStoreSignIn }, codeHash, { device, at });
    if (opened) return opened;
  }
  const name = known ? `${client} ${known.storeId ?? 'operators'}` : client;
  const failures = await countAttempt(db, { name, minutes: 1 }, at);
  if (failures.count > MAX_FAILURES) {
    const seconds = Math.max(1, Math.ceil(at.until(failures.endsAt).total('seconds')));
    const detail = 'Too many incorrect codes within a minute. Check the code, or request a new one.';
    throw new Refusal('rate_limited', detail, retryAfter(seconds));
  }
  throw new Refusal('invalid_access_code', 'This code is incorrect, already used or expired. Request a new one.');
}

/** Redeems the code for a session; undefined if the code is used or expired. */
async function openSession(
  { db, onStoreSignIn }: Omit<SignInDeps, 'clock'>,
  codeHash: Buffer,
  { device, at }: { device: string; at: Temporal.Instant },
): Promise<OpenedSession | undefined> {
  return db.transaction().execute(async (tx) => {
    const redeemed = await redeemCode(tx, codeHash, at);
    if (!redeemed) return undefined;
    const { storeId, accountId, staffId } = redeemed;
    if (storeId !== null && accountId === null && staffId === null) await onStoreSignIn(tx, storeId, at);
    const session = newToken(at);
    const { token, ...stored } = session;
    await insertSession(tx, { ...stored, ...redeemed, sessionId: randomId('ses_', 12), device, at });
    if (staffId !== null) await endOldStaffSessions(tx, staffId, { keep: MAX_STAFF_SESSIONS, at });
    return { token, storeId, expiresAt: session.expiresAt };
  });
}

/** Opens a session of an operator who has proved an email. */
export async function openOperatorSession(
  sql: Sql,
  operatorId: string,
  { device, at }: { device: string; at: Temporal.Instant },
): Promise<{ token: string; expiresAt: Temporal.Instant }> {
  const { token, ...stored } = newToken(at);
  const owner = { storeId: null, accountId: null, operatorId, staffId: null };
  await insertSession(sql, { ...stored, ...owner, sessionId: randomId('ses_', 12), device, at });
  return { token, expiresAt: stored.expiresAt };
}

/** Returns a new token for a session whose token is older than a day; undefined for a newer one. */
export async function renewSession(
  sql: Sql,
  session: ConsoleSession,
  at: Temporal.Instant,
): Promise<{ token: string; expiresAt: Temporal.Instant } | undefined> {
  if (session.rotatedAt.until(at).total('hours') < ROTATE_HOURS) return undefined;
  const { token, tokenHash, expiresAt } = newToken(at);
  return (await rotateSession(sql, session, tokenHash, { at, expiresAt })) ? { token, expiresAt } : undefined;
}

function newToken(at: Temporal.Instant) {
  const token = randomId('', TOKEN_BYTES);
  return { token, tokenHash: sha256(token), expiresAt: at.add({ hours: SESSION_DAYS * 24 }) };
}
