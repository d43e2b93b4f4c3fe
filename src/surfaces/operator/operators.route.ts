import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { OPERATOR_ROLES } from '../../access/sessions/operator.ts';
import { findOperator, listOperators } from '../../access/sessions/operators.db.ts';
import { inviteOperator, type OperatorChanges, setOperator } from '../../access/sessions/set-operator.flow.ts';
import { issueAccessCode, issueOperatorKey } from '../../access/sessions/sign-in.flow.ts';
import { emailTarget } from '../../fulfillment/store-channels/store-channel.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { component, describedObject, flag, optionalText, optionalWhole } from '../../platform/http/api-components.ts';
import { type Fault, Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { readE164 } from '../../platform/lib/phone.ts';
import { cleanText, UNPRINTABLE } from '../../platform/lib/plain-text.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';
import { procedure } from './procedure.ts';
import { OPERATORS } from './tables.ts';

/** Who the operators are: the view of one's own role, and admins' changes. */

const Role = Type.Enum([...OPERATOR_ROLES], { description: 'Each role may do what those before it may.' });

const OperatorSchema = component('Operator', 'A person who runs the service.', {
  operator_id: Type.String(),
  name: Type.String(),
  email: maybeText('Where alerts and sign-in links go.'),
  phone: maybeText('Where urgent alerts go, in E.164.'),
  role: Role,
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  disabled_at: moment('Since when the operator cannot sign in.'),
});
const InvitationSchema = component(
  'OperatorInvitation',
  'An access code. It works once; no later answer shows it again.',
  {
    operator_id: Type.String(),
    code: Type.String(),
    expires_at: Type.Integer({ description: 'Epoch seconds.' }),
    url: Type.String({ description: 'Where the operator signs in.' }),
  },
);
const Params = Type.Object({ operator_id: Type.String({ maxLength: 64, description: 'An operator.' }) });
const name = Type.String({ minLength: 1, maxLength: 200, description: 'The name that the history of changes shows.' });
const email = optionalText(254, 'An email address; empty for none.');
const phone = optionalText(40, 'A phone number; empty for none.');

const operatorNotFound = () => new Refusal('not_found', 'There is no such operator.');

type OperatorsDeps = { db: Db; clock: Clock; config: Config };

export const readOperatorProcedure = procedure({
  endpoint: 'GET /operator/me',
  role: 'viewer',
  summary: 'Who is signed in, and with which role',
  description: 'The view hides what the role may not do.',
  answer: describedObject('The operator of the session.', {
    operator_id: Type.String(),
    name: Type.String(),
    role: Role,
  }),
  async run(_deps: object, { session }) {
    return {
      operator_id: session.operatorId ?? '',
      name: session.name ?? '',
      role: session.role ?? ('viewer' as const),
    };
  },
});

export const listOperatorsProcedure = procedure({
  endpoint: 'GET /operator/operators',
  command: 'operators list',
  table: OPERATORS,
  role: 'admin',
  summary: 'Operators, oldest first',
  description: 'Disabled ones too: the history of changes names them.',
  answer: Type.Object({ operators: Type.Array(OperatorSchema) }, { description: 'Every operator.' }),
  run: async ({ db }: { db: Db }) => ({ operators: (await listOperators(db)).map(showRow) }),
});

export const createOperatorKeyProcedure = procedure({
  endpoint: 'POST /operator/operators/:operator_id/keys',
  command: 'operators key <operator_id>',
  next: "Save the key now: it won't be shown again.",
  role: 'admin',
  refuses: ['not_found'],
  summary: 'Create a key of an operator',
  description:
    "With the key as `Id-Token`, programs call these endpoints in the operator's name and role. It is listed and revoked as an open session. No later answer shows it. The change is recorded.",
  example: { body: { label: 'nightly report' } },
  params: Params,
  body: Type.Object({
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: 'What uses the key.' })),
    days: optionalWhole(1, 3650, 'Until it expires; 90 by default.'),
  }),
  answer: describedObject('The key, and the session that it is listed as.', {
    session_id: Type.String(),
    key: Type.String(),
    expires_at: Type.Integer({ description: 'Epoch seconds.' }),
  }),
  async run(_needs: object, { record, params: { operator_id: operatorId }, body }) {
    const { label = '', days = 90 } = body;
    const device = cleanText(label) || 'API key';
    const { sessionId, key, expiresAt } = await record(
      async (tx, at) => {
        await requireActive(tx, operatorId);
        return issueOperatorKey(tx, { operatorId, label: device, days }, at);
      },
      (issued) => ({ action: 'operator.key', target: operatorId, details: { session_id: issued.sessionId, days } }),
    );
    return { session_id: sessionId, key, expires_at: epochSeconds(expiresAt) };
  },
});

/** Refuses an unknown operator, and a disabled one. */
async function requireActive(sql: Sql, operatorId: string): Promise<void> {
  const operator = await findOperator(sql, operatorId);
  if (!operator || operator.disabledAt !== null) throw operatorNotFound();
}

const ChangesSchema = Type.Object({
  name: Type.Optional(name),
  role: Type.Optional(Role),
  email,
  phone,
  disabled: flag('Whether the operator is kept out.'),
});

export const setOperatorProcedure = procedure({
  endpoint: 'POST /operator/operators/:operator_id',
  command: 'operators set <operator_id>',
  role: 'admin',
  refuses: ['not_found', 'last_admin'],
  summary: 'Change an operator',
  description:
    'What is left out stays. A disabled operator is signed out and cannot sign in. The only admin stays one (409 `last_admin`). The change is recorded, and counts at once on every node.',
  example: { body: { role: 'support' } },
  params: Params,
  body: ChangesSchema,
  answer: OperatorSchema,
  async run(_needs: object, { session, record, params, body }) {
    const { operator_id: operatorId } = params;
    const changes = readChanges(body);
    const set = await record(
      async (tx, at) => {
        const operator = await setOperator(tx, operatorId, changes, { at, keepsAdmin: session.operatorId !== null });
        if (!operator) throw operatorNotFound();
        return operator;
      },
      () => ({ action: 'operator.set', target: operatorId, details: recorded(changes) }),
    );
    return showRow(set);
  },
});

export const inviteOperatorProcedure = procedure({
  endpoint: 'POST /operator/operators',
  command: 'operators invite',
  role: 'admin',
  summary: 'Add an operator',
  description: 'The operator signs in with the code at `url`, once, within 48 hours. The change is recorded.',
  example: { body: { name: 'Ben Sato', role: 'support' } },
  body: Type.Object({ name, role: Role, email, phone }),
  answer: InvitationSchema,
  async run(deps: OperatorsDeps, { record, body }) {
    const { name: given, role } = body;
    const operator = { name: given, email: null, phone: null, ...readChanges(body), role };
    const { operatorId, code, expiresAt } = await record(
      (tx, at) => inviteOperator(tx, operator, at),
      (invited) => ({ action: 'operator.invite', target: invited.operatorId, details: { name: invited.name, role } }),
    );
    return presentInvitation(deps, { operatorId, code, expiresAt });
  },
});

export const createOperatorCodeProcedure = procedure({
  endpoint: 'POST /operator/operators/:operator_id/invite',
  command: 'operators invite <operator_id>',
  role: 'admin',
  refuses: ['not_found'],
  summary: 'Make another access code for an operator',
  description: 'For another browser. The code works once, within 48 hours. The change is recorded.',
  params: Params,
  body: Type.Object({}),
  answer: InvitationSchema,
  async run(deps: OperatorsDeps, { record, params }) {
    const { operator_id: operatorId } = params;
    const { code, expiresAt } = await record(
      async (tx, at) => {
        await requireActive(tx, operatorId);
        return issueAccessCode(tx, { operatorId }, at);
      },
      () => ({ action: 'operator.invite', target: operatorId, details: {} }),
    );
    return presentInvitation(deps, { operatorId, code, expiresAt });
  },
});

const presentInvitation = (
  { config }: { config: Config },
  { operatorId, code, expiresAt }: { operatorId: string; code: string; expiresAt: Temporal.Instant },
) => ({ operator_id: operatorId, code, expires_at: epochSeconds(expiresAt), url: `${config.baseUrl}/console` });

type Given = Partial<Static<typeof ChangesSchema>>;

/** Refuses all malformed fields at once with `invalid_request`. An empty email or phone is none. */
function readChanges({ name: text, role, email: address, phone: number, disabled }: Given): OperatorChanges {
  const trimmed = text?.trim();
  const mail = address === undefined || address === '' ? null : emailTarget(address.trim().toLowerCase());
  const dialed = number === undefined || number === '' ? null : readE164(number);
  const faults = [
    [trimmed === '' || UNPRINTABLE.test(trimmed ?? ''), 'name', 'must have letters and no control characters'],
    [mail === undefined, 'email', 'must be an email address'],
    [dialed === undefined, 'phone', 'must be a phone number'],
    [[text, role, address, number, disabled].every((value) => value === undefined), 'body', 'must change something'],
  ] as const;
  const wrong = faults.filter(([isWrong]) => isWrong);
  if (wrong.length > 0)
    throw invalidRequest(wrong.map(([, field, message]): Fault => ({ in: 'body', name: field, message })));
  return present({
    name: trimmed,
    role,
    email: address === undefined ? undefined : (mail ?? null),
    phone: number === undefined ? undefined : (dialed ?? null),
    disabled,
  });
}

/** What the history keeps: that an email or phone changed, never which. */
function recorded({ email: mail, phone: dialed, ...rest }: OperatorChanges): Readonly<Record<string, unknown>> {
  return {
    ...rest,
    ...(mail === undefined ? {} : { email: mail === null ? 'removed' : 'set' }),
    ...(dialed === undefined ? {} : { phone: dialed === null ? 'removed' : 'set' }),
  };
}
