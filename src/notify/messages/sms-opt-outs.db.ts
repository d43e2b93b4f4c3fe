import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';

/** A number in E.164 that an account writes to. */
export type SmsRecipient = { accountId: string; phone: string };

export const recipientKey = ({ accountId, phone }: SmsRecipient): string => `${accountId} ${phone}`;

/**
 * Records recipients. `firsts` has the keys of recipients to whom their account has never sent an SMS, so the text must
 * explain how to opt out. `optedOut` has the numbers that get no SMS.
 */
export async function recordSmsRecipients(sql: Sql, recipients: readonly SmsRecipient[]) {
  if (recipients.length === 0) return { firsts: new Set(), optedOut: new Set() };
  const accountIds = recipients.map(({ accountId }) => accountId);
  const phones = recipients.map(({ phone }) => phone);
  // Sorted, so that two workers with the same numbers cannot deadlock.
  const { rows } = await raw<{ accountId: string | null; phone: string }>`
    with given as (
      select distinct * from unnest(${accountIds}::text[], ${phones}::text[]) as g (account_id, phone)
    ), opted_out as (
      select distinct g.phone from given as g join sms_opt_outs as o on o.phone in (g.phone, ${raw.raw(hashed('g.phone'))})
    ), firsts as (
      insert into sms_recipients (account_id, phone)
      select account_id, phone from given where phone not in (select phone from opted_out) order by 1, 2
      on conflict do nothing returning account_id, phone
    )
    select account_id, phone from firsts union all select null, phone from opted_out`.execute(sql);
  return {
    firsts: new Set(rows.flatMap(({ accountId, phone }) => (accountId ? [recipientKey({ accountId, phone })] : []))),
    optedOut: new Set(rows.flatMap(({ accountId, phone }) => (accountId ? [] : [phone]))),
  };
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
