import { Command, InvalidArgumentError, Option } from 'commander';
import { findOperator, listOperators } from '../../access/sessions/operators.db.ts';
import { inviteOperator, type OperatorChanges, setOperator } from '../../access/sessions/set-operator.flow.ts';
import { issueAccessCode } from '../../access/sessions/sign-in.flow.ts';
import { emailTarget, phoneTarget } from '../../fulfillment/store-channels/store-channel.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../platform/http/http.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { parseName, parseOnOff } from './arguments.ts';
import { CommandFailure } from './failure.ts';
import { alignedTable, answer, jsonDocument, momentText, type OutputOptions } from './output.ts';
import { answerSessions, revokeAndList } from './sessions.ts';
import { withDatabase } from './with-database.ts';

export function operatorsCommand(): Command {
  return new Command('operators')
    .addCommand(inviteCommand())
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(sessionsCommand());
}

type Invitation = OutputOptions & { name?: string; role?: OperatorRole; email?: string; phone?: string };

const roleOption = () => new Option('--role <role>', 'what the operator may do').choices(OPERATOR_ROLES);

function inviteCommand(): Command {
  const command = new Command('invite')
    .description("Create an access code for the operator's view. It works once, within 48 hours.")
    .argument('[operator_id]', 'an operator who signs in on another browser; without it, a new one')
    .option('--name <name>', 'the name that the history of changes shows', parseName)
    .addOption(roleOption())
    .option('--email <address>', 'where alerts and sign-in links go', parseEmail)
    .option('--phone <number>', 'where urgent alerts go', parsePhoneNumber)
    .option('--json', 'print one JSON document: { operator_id, code, expires_at }');
  return command.action(async (known: string | undefined, options: Invitation) => {
    const { name, role, email = null, phone = null } = options;
    if (known === undefined && (name === undefined || role === undefined)) {
      command.error('pass --name and --role, or the ID of an operator; see --help');
    }
    const { operatorId, code, expiresAt, url } = await withDatabase(async ({ db, config }) => {
      const at = systemClock.now();
      const invited = await db.transaction().execute(async (tx) => {
        if (known !== undefined) return inviteAgain(tx, known, at);
        return inviteOperator(tx, { name: name ?? '', role: role ?? 'viewer', email, phone }, at);
      });
      return { ...invited, url: `${config.baseUrl}/console` };
    });
    const text = `${code}\n${operatorId} signs in at ${url} by ${momentText(expiresAt)}. The code works once.`;
    answer(options, { operator_id: operatorId, code, expires_at: momentText(expiresAt) }, text);
  });
}

async function inviteAgain(sql: Sql, operatorId: string, at: Temporal.Instant) {
  const operator = await findOperator(sql, operatorId);
  if (!operator) throw new CommandFailure(`No such operator: ${operatorId}.`);
  if (operator.disabledAt !== null) throw new CommandFailure(`${operator.name} is disabled; see operators set.`);
  return { operatorId, ...(await issueAccessCode(sql, { operatorId }, at)) };
}

function listCommand(): Command {
  return new Command('list')
    .description('List operators, oldest first.')
    .option('--json', 'print one JSON document: { operators: [{ operator_id, name, email, phone, role, … }] }')
    .action(async (options: OutputOptions) => {
      const operators = await withDatabase(({ db }) => listOperators(db));
      const rows = operators.map(({ operatorId, name, role, email, disabledAt }) => [
        operatorId,
        name,
        role,
        email ?? '',
        disabledAt === null ? '' : 'disabled',
      ]);
      const text = alignedTable(['OPERATOR', 'NAME', 'ROLE', 'EMAIL', 'STATE'], rows);
      answer(options, { operators: operators.map(jsonDocument) }, text);
    });
}

type Changes = OutputOptions & OperatorChanges;

/** The command line changes the only admin too, because its user has the database. */
function setCommand(): Command {
  const command = new Command('set')
    .description('Change an operator. Pass at least one option; the rest stay as they are.')
    .argument('<operator_id>', 'the ID shown by `operators list`')
    .option('--name <name>', 'the name that the history of changes shows', parseName)
    .addOption(roleOption())
    .option('--email <address>', 'where alerts and sign-in links go', parseEmail)
    .option('--phone <number>', 'where urgent alerts go', parsePhoneNumber)
    .addOption(new Option('--disabled <on|off>', 'sign the operator out, and keep them out').argParser(parseOnOff))
    .option('--json', 'print one JSON document: the operator');
  return command.action(async (operatorId: string, { json, ...changes }: Changes) => {
    if (Object.keys(changes).length === 0) command.error('pass at least one option; see --help');
    const operator = await withDatabase(({ db }) =>
      db
        .transaction()
        .execute((tx) => setOperator(tx, operatorId, changes, { at: systemClock.now(), keepsAdmin: false })),
    );
    if (!operator) throw new CommandFailure(`No such operator: ${operatorId}.`);
    const state = operator.disabledAt === null ? operator.role : 'disabled';
    answer({ json: json === true }, jsonDocument(operator), `${operator.name}: ${state}`);
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
