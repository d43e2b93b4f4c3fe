import { sql as raw } from 'kysely';
import type { Sql } from '../../platform/db/connect.ts';

/** A number in E.164 that an account writes to. */
export type SmsRecipient = { accountId: string; phone: string };

export const recipientKey = ({ accountId, phone }: SmsRecipient): string => `${accountId} ${phone}`;

/**
 * Records recipients. `firsts` has the keys of recipients to whom their account has never sent an SMS, so the text must
 * explain how to opt out. `optedOut` has the numbers that get no SMS.
 */
export async function recordSmsRecipients(
  sql: Sql,
  recipients: readonly SmsRecipient[],
): Promise<{ firsts: ReadonlySet<string>; optedOut: ReadonlySet<string> }> {
  if (recipients.length === 0) return { firsts: new Set(), optedOut: new Set() };
  const accountIds = recipients.map(({ accountId }) => accountId);
  const phones = recipients.map(({ phone }) => phone);
  // Sorted, so that two workers with the same numbers cannot deadlock.
  const { rows } = await raw<{ accountId: string | null; phone: string }>`
    with given as (
      select distinct * from unnest(${accountIds}::text[], ${phones}::text[]) as g (account_id, phone)
    ), opted_out as (
      select phone from sms_opt_outs where phone in (select phone from given)
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
  if (isOut) {
    const row = { phone, optedOutAt: at.toString() };
    await sql
      .insertInto('smsOptOuts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await sql.deleteFrom('smsOptOuts').where('phone', '=', phone).execute();
  }
}
