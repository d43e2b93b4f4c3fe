import { present } from 'doorstep/collections';
import { type Static, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
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
import { OPERATORS } from './tables.ts';

/** Who the operators are: the view of one's own role, and admins' changes. */

const Role = Type.Enum([...OPERATOR_ROLES], { description: "Each role includes the previous role's permissions." });

const OperatorSchema = component('Operator', 'A person who runs the service.', {
  operator_id: Type.String(),
  name: Type.String(),
  email: maybeText('The address for alerts and sign-in links.'),
  phone: maybeText('The number for urgent alerts, in E.164 format.'),
  role: Role,
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  disabled_at: moment("Since when the operator can't sign in."),
});
const InvitationSchema = component('OperatorInvitation', 'A one-time access code, shown only once.', {
  operator_id: Type.String(),
  code: Type.String(),
  expires_at: Type.Integer({ description: 'Epoch seconds.' }),
  url: Type.String({ description: "The operator's sign-in page." }),
});
const Params = Type.Object({ operator_id: Type.String({ maxLength: 64, description: 'An operator.' }) });
const name = Type.String({ minLength: 1, maxLength: 200, description: "The operator's name in the history." });
const email = optionalText(254, 'An email address. Empty if there is none.');
const phone = optionalText(40, 'A phone number. Empty if there is none.');

const operatorNotFound = () => new Refusal('not_found', 'There is no such operator.');

type OperatorsDeps = { db: Db; clock: Clock; config: Config };

export const readOperatorOperation = operation({
  endpoint: 'GET /me',
  summary: 'Get the signed-in operator',
  description: "Returns the operator and their role. The dashboard hides actions that the role doesn't allow.",
  answer: describedObject("The session's operator.", { operator_id: Type.String(), name: Type.String(), role: Role }),
  on: { operator: { role: 'viewer' } },
}).run(async (_deps: object, { by: { session } }) => {
  return { operator_id: session.operatorId ?? '', name: session.name ?? '', role: session.role ?? ('viewer' as const) };
});

export const listOperatorsOperation = operation({
  endpoint: 'GET /operators',
  summary: 'List operators, oldest first',
  description: 'Includes disabled operators, because the history names them.',
  answer: Type.Object({ operators: Type.Array(OperatorSchema) }, { description: 'Every operator.' }),
  on: { operator: { command: 'operators list', table: OPERATORS, role: 'admin' } },
}).run(async ({ db }: { db: Db }) => ({ operators: (await listOperators(db)).map(showRow) }));

export const createOperatorKeyOperation = operation({
  endpoint: 'POST /operators/:operator_id/keys',
  refuses: ['not_found'],
  summary: 'Create an API key for an operator',
  description:
    "Send the key as `Id-Token` to call these endpoints in the operator's name and role. It's listed and revoked as an open session, and shown only once.",
  example: { body: { label: 'nightly report' } },
  params: Params,
  body: Type.Object({
    label: Type.Optional(Type.String({ minLength: 1, maxLength: 80, description: "The key's purpose." })),
    days: optionalWhole(1, 3650, 'The number of days until it expires. Defaults to 90.'),
  }),
  answer: describedObject('The key, and the session that represents it.', {
    session_id: Type.String(),
    key: Type.String(),
    expires_at: Type.Integer({ description: 'Epoch seconds.' }),
  }),
  on: {
    operator: {
      command: 'operators key <operator_id>',
      next: "Save the key now: it won't be shown again.",
      role: 'admin',
    },
  },
}).run(async (_needs: object, { save, params: { operator_id: operatorId }, body }) => {
  const { label = '', days = 90 } = body;
  const device = cleanText(label) || 'API key';
  const { sessionId, key, expiresAt } = await save(
    async (tx, at) => {
      await requireActive(tx, operatorId);
      return issueOperatorKey(tx, { operatorId, label: device, days }, at);
    },
    (issued) => ({ action: 'operator.key', target: operatorId, details: { session_id: issued.sessionId, days } }),
  );
  return { session_id: sessionId, key, expires_at: epochSeconds(expiresAt) };
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
  disabled: flag('Whether the operator is disabled.'),
});

export const setOperatorOperation = operation({
  endpoint: 'POST /operators/:operator_id',
  refuses: ['not_found', 'last_admin'],
  summary: 'Update an operator',
  description:
    "Omitted fields stay unchanged. A disabled operator is signed out and can't sign in. The only admin can't be disabled or demoted (409 `last_admin`). The change takes effect immediately on every node.",
  example: { body: { role: 'support' } },
  params: Params,
  body: ChangesSchema,
  answer: OperatorSchema,
  on: { operator: { command: 'operators set <operator_id>', role: 'admin' } },
}).run(async (_needs: object, { by: { session }, save, params, body }) => {
  const { operator_id: operatorId } = params;
  const changes = readChanges(body);
  const set = await save(
    async (tx, at) => {
      const operator = await setOperator(tx, operatorId, changes, { at, keepsAdmin: session.operatorId !== null });
      if (!operator) throw operatorNotFound();
      return operator;
    },
    () => ({ action: 'operator.set', target: operatorId, details: recorded(changes) }),
  );
  return showRow(set);
});

export const inviteOperatorOperation = operation({
  endpoint: 'POST /operators',
  summary: 'Add an operator',
  description: 'The operator signs in at `url` with a one-time code, valid for 48 hours.',
  example: { body: { name: 'Ben Sato', role: 'support' } },
  body: Type.Object({ name, role: Role, email, phone }),
  answer: InvitationSchema,
  on: { operator: { command: 'operators invite', role: 'admin' } },
}).run(async (deps: OperatorsDeps, { save, body }) => {
  const { name: given, role } = body;
  const operator = { name: given, email: null, phone: null, ...readChanges(body), role };
  const { operatorId, code, expiresAt } = await save(
    (tx, at) => inviteOperator(tx, operator, at),
    (invited) => ({ action: 'operator.invite', target: invited.operatorId, details: { name: invited.name, role } }),
  );
  return presentInvitation(deps, { operatorId, code, expiresAt });
});

export const createOperatorCodeOperation = operation({
  endpoint: 'POST /operators/:operator_id/invite',
  refuses: ['not_found'],
  summary: 'Create another access code for an operator',
  description: 'Use it for another browser. The code works once, within 48 hours.',
  params: Params,
  body: Type.Object({}),
  answer: InvitationSchema,
  on: { operator: { command: 'operators invite <operator_id>', role: 'admin' } },
}).run(async (deps: OperatorsDeps, { save, params }) => {
  const { operator_id: operatorId } = params;
  const { code, expiresAt } = await save(
    async (tx, at) => {
      await requireActive(tx, operatorId);
      return issueAccessCode(tx, { operatorId }, at);
    },
    () => ({ action: 'operator.invite', target: operatorId, details: {} }),
  );
  return presentInvitation(deps, { operatorId, code, expiresAt });
});

const presentInvitation = (
  { config }: { config: Config },
  { operatorId, code, expiresAt }: { operatorId: string; code: string; expiresAt: Temporal.Instant },
) => ({ operator_id: operatorId, code, expires_at: epochSeconds(expiresAt), url: `${config.baseUrl}/console` });

type Given = Partial<Static<typeof ChangesSchema>>;

/** Refuses all malformed fields at once with `invalid_request`. An empty email or phone is none. */
function readChanges({ name: text, role, email: address, phone: number, disabled }: Given): OperatorChanges {
  const trimmed = text?.trim();
  const mail = address === undefined || address === '' ? null : emailTarget(address.toLowerCase());
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
