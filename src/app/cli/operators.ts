import { Command, InvalidArgumentError, Option } from 'commander';
import { insertOperator } from '../../access/sessions/operators.db.ts';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { emailTarget, phoneTarget } from '../../fulfillment/store-channels/store-channel.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../platform/http/http.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { parseName } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { answer, momentText, type OutputOptions } from './output.ts';
import { answerSessions, revokeAndList } from './sessions.ts';
import { withDatabase } from './with-database.ts';

export function operatorsCommand(): Command {
  return new Command('operators')
    .description("Let people into the operator's view, which sees every account and store.")
    .addCommand(inviteCommand())
    .addCommand(sessionsCommand());
}

type Invitation = OutputOptions & { name: string; role: OperatorRole; email?: string; phone?: string };

function inviteCommand(): Command {
  return new Command('invite')
    .description("Add an operator and create an access code for the operator's view. It works once, within 48 hours.")
    .requiredOption('--name <name>', 'the name that the history of changes shows', parseName)
    .addOption(new Option('--role <role>', 'what the operator may do').choices(OPERATOR_ROLES).makeOptionMandatory())
    .option('--email <address>', 'where alerts and sign-in links go', parseEmail)
    .option('--phone <number>', 'where urgent alerts go', parsePhoneNumber)
    .option('--json', 'print one JSON document: { operator_id, code, expires_at }')
    .action(async ({ name, role, email, phone, ...options }: Invitation) => {
      const { operatorId, code, expiresAt, url } = await withDatabase(async ({ db, config }) =>
        db.transaction().execute(async (tx) => {
          const at = systemClock.now();
          const added = await insertOperator(tx, { name, role, email: email ?? null, phone: phone ?? null }, at);
          if (!added) throw new CommandFailure(`Another operator has the email ${email}.`);
          const { operatorId } = added;
          return { operatorId, ...(await issueAccessCode(tx, { operatorId }, at)), url: `${config.baseUrl}/console` };
        }),
      );
      const text = `${code}\n${name} (${operatorId}) signs in at ${url} by ${momentText(expiresAt)}. The code works once.`;
      answer(options, { operator_id: operatorId, code, expires_at: momentText(expiresAt) }, text);
    });
}

function parseEmail(text: string): string {
  const email = emailTarget(text.toLowerCase());
  if (email === undefined) throw new InvalidArgumentError('The value must be an email address.');
  return email;
}

function parsePhoneNumber(text: string): string {
  const phone = phoneTarget(text);
  if (phone === undefined) throw new InvalidArgumentError('The value must be a phone number.');
  return phone;
}

function sessionsCommand(): Command {
  return new Command('sessions')
    .description("List operators' open sessions, or end one.")
    .option('--revoke <session_id>', 'end this session')
    .option('--json', 'print one JSON document: { sessions: [{ session_id, name, device, created_at, seen_at }] }')
    .action(async (options: OutputOptions & { revoke?: string }) => {
      answerSessions(options, await withDatabase(({ db }) => revokeAndList(db, null, options.revoke)));
    });
}
