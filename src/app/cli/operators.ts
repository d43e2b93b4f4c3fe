import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import { OPERATOR_ROLES, type OperatorRole } from '../../access/sessions/operator.ts';
import { emailTarget, phoneTarget } from '../../fulfillment/store-channels/store-channel.ts';
import { listOperatorSessionsProcedure, revokeAnySessionProcedure } from '../../surfaces/operator/access.route.ts';
import {
  createOperatorCodeProcedure,
  createOperatorKeyProcedure,
  inviteOperatorProcedure,
  listOperatorsProcedure,
  setOperatorProcedure,
} from '../../surfaces/operator/operators.route.ts';
import { bodyOf, parsed, parseName, parseOnOff, parseWholeTo, requireChange } from './arguments.ts';
import { withManagement } from './manage.ts';
import { alignedTable, answer, type OutputOptions, secondsText } from './output.ts';
import { answerSessions } from './sessions.ts';

export function operatorsCommand(): Command {
  return new Command('operators')
    .addCommand(inviteCommand())
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(keyCommand())
    .addCommand(sessionsCommand());
}

type Invitation = OutputOptions & { name?: string; role?: OperatorRole; email?: string; phone?: string };

const parseEmail = parsed((text) => emailTarget(text.toLowerCase()), 'an email address');
const parsePhoneNumber = parsed(phoneTarget, 'a phone number');
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
    const { name, role, email, phone } = options;
    const isNew = known === undefined;
    if (isNew && (name === undefined || role === undefined)) {
      command.error('pass --name and --role, or the ID of an operator; see --help');
    }
    const body = {
      name: name ?? '',
      role: role ?? 'viewer',
      ...(email && { email }),
      ...(phone && { phone }),
    } as const;
    const invited = await withManagement((manage) =>
      isNew
        ? manage(inviteOperatorProcedure, { body })
        : manage(createOperatorCodeProcedure, { params: { operator_id: known }, body: {} }),
    );
    const { operator_id, code, url } = invited;
    const expires_at = secondsText(invited.expires_at);
    const text = `${code}\n${operator_id} signs in at ${url} by ${expires_at}. The code works once.`;
    answer(options, { operator_id, code, expires_at }, text);
  });
}

const MAX_KEY_DAYS = 3650;

function keyCommand(): Command {
  return new Command('key')
    .description(
      "Create an operator's key. With DOORSTEP_URL and DOORSTEP_KEY set to it, commands manage that service from any machine.",
    )
    .argument('<operator_id>', 'the ID shown by `operators list`')
    .option('--label <text>', 'what uses the key', parseName)
    .option('--days <n>', 'days until it expires; 90 by default', parseWholeTo(1, MAX_KEY_DAYS, 'whole days'))
    .option('--json', 'print one JSON document: { session_id, key, expires_at }')
    .action(async (operator_id: string, options: OutputOptions) => {
      const body = bodyOf(createOperatorKeyProcedure, options);
      const created = await withManagement((manage) =>
        manage(createOperatorKeyProcedure, { params: { operator_id }, body }),
      );
      const { session_id, key } = created;
      const expires_at = secondsText(created.expires_at);
      const end = `It expires ${expires_at}; \`operators sessions --revoke ${session_id}\` ends it.`;
      answer(options, { session_id, key, expires_at }, `${key}\nSave it now: it won't be shown again. ${end}`);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List operators, oldest first.')
    .option('--json', 'print one JSON document: { operators: [{ operator_id, name, email, phone, role, … }] }')
    .action(async (options: OutputOptions) => {
      const { operators } = await withManagement((manage) => manage(listOperatorsProcedure, {}));
      const rows = operators.map(({ operator_id, name, role, email, disabled_at }) => [
        operator_id,
        name,
        role,
        email ?? '',
        disabled_at === null ? '' : 'disabled',
      ]);
      const text = alignedTable(['OPERATOR', 'NAME', 'ROLE', 'EMAIL', 'STATE'], rows);
      answer(options, { operators: operators.map(presentOperator) }, text);
    });
}

const presentOperator = (operator: Static<(typeof listOperatorsProcedure)['answer']>['operators'][number]) => ({
  ...operator,
  created_at: secondsText(operator.created_at),
  disabled_at: secondsText(operator.disabled_at),
});

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
  return command.action(async (operator_id: string, options: OutputOptions) => {
    const body = requireChange(bodyOf(setOperatorProcedure, options), command);
    const operator = await withManagement((manage) => manage(setOperatorProcedure, { params: { operator_id }, body }));
    const state = operator.disabled_at === null ? operator.role : 'disabled';
    answer(options, presentOperator(operator), `${operator.name}: ${state}`);
  });
}

function sessionsCommand(): Command {
  return new Command('sessions')
    .description("List operators' open sessions and keys, or end one.")
    .option('--revoke <session_id>', 'end this session')
    .option(
      '--json',
      'print one JSON document: { sessions: [{ session_id, name, device, created_at, seen_at, expires_at }] }',
    )
    .action(async (options: OutputOptions & { revoke?: string }) => {
      const sessions = await withManagement(async (manage) => {
        const { revoke: session_id } = options;
        if (session_id !== undefined) await manage(revokeAnySessionProcedure, { params: { session_id }, body: {} });
        return (await manage(listOperatorSessionsProcedure, {})).sessions;
      });
      answerSessions(options, sessions);
    });
}
