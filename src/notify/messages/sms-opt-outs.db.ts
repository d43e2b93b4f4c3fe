import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import type { Letter } from '../outbox/hand-over.flow.ts';

/** A number in E.164 that an account writes to. */
type SmsRecipient = { accountId: string; phone: string };

const recipientKey = ({ accountId, phone }: SmsRecipient): string => `${accountId} ${phone}`;

/** Numbers of these that get no SMS. */
export async function findOptedOut(sql: Sql, phones: readonly string[]): Promise<ReadonlySet<string>> {
  if (phones.length === 0) return new Set();
  const { rows } = await raw<{ phone: string }>`
    select distinct g.phone from unnest(${[...phones]}::text[]) as g (phone)
    join sms_opt_outs as o on o.phone in (g.phone, ${raw.raw(hashed('g.phone'))})`.execute(sql);
  return new Set(rows.map(({ phone }) => phone));
}

/** Whether the provider has not accepted an SMS of the account to the number yet, so the next one says how to opt out. */
export async function isFirstSms(sql: Sql, recipient: SmsRecipient): Promise<boolean> {
  const known = sql
    .selectFrom('smsRecipients')
    .select('phone')
    .where((row) => row.and(recipient));
  return (await known.executeTakeFirst()) === undefined;
}

/** Records the recipients of SMS that the provider has accepted. */
export async function recordSmsRecipients(sql: Sql, recipients: readonly SmsRecipient[]): Promise<void> {
  // Sorted, so that two workers with the same numbers cannot deadlock.
  const rows = recipients.toSorted((a, b) => (recipientKey(a) < recipientKey(b) ? -1 : 1));
  if (rows.length === 0) return;
  await sql
    .insertInto('smsRecipients')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records the recipient of a letter, if it is an SMS that the provider has accepted. */
export async function recordSmsTaken(sql: Sql, letter: Letter): Promise<void> {
  if (letter.channel !== 'sms' || letter.accountId === undefined) return;
  await recordSmsRecipients(sql, [{ accountId: letter.accountId, phone: letter.to }]);
}

/** Records a number's opt-out or opt-in; repeating it changes nothing. */
export async function setOptOut(sql: Sql, phone: string, isOut: boolean, at: Temporal.Instant): Promise<void> {
  const known = raw`phone in (${phone}, ${raw.raw(hashed('p.phone'))})`;
  const given = raw`(values (${phone}::text)) as p (phone)`;
  if (isOut) {
    await raw`
      insert into sms_opt_outs (phone, opted_out_at) select p.phone, ${at.toString()}::timestamptz from ${given}
      where not exists (select from sms_opt_outs as o where o.${known})
      on conflict do nothing`.execute(sql);
  } else {
    await raw`delete from sms_opt_outs as o using ${given} where o.${known}`.execute(sql);
  }
}

/** Numbers of customers and drivers of forgotten orders. */
const PHONES = `select '+' || known.phone from orders as o
    cross join lateral (values (o.request->'customer'->>'phone'), (o.driver->>'phone')) as known (phone)
    where o.order_id = any($1::text[])`;

/** Hashes the number of a forgotten opt-out, which still holds: otherwise the next order would send SMS to it. */
const hashed = (phone: string) => `'sha256:' || encode(sha256(convert_to(${phone}, 'UTF8')), 'hex')`;

export const RECIPIENT_PERSONAL_DATA: readonly PersonalData[] = [
  {
    table: 'sms_recipients',
    where: `phone in (${PHONES}) and account_id in (select account_id from orders where order_id = any($1::text[]))`,
  },
  { table: 'sms_opt_outs', where: `phone in (${PHONES})`, set: { phone: hashed('phone') } },
];
