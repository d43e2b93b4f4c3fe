import { useState } from 'preact/hooks';
import { OPERATORS } from '../../src/surfaces/operator/tables.ts';
import { Button } from '../button.tsx';
import { Check, Field, Select } from '../field.tsx';
import { SessionsList } from './actions.tsx';
import { call, type Operator, type OperatorInvitation } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { DialogButton, List, ShownOnce, textIn } from './parts.tsx';
import type { Role } from './role.tsx';

/* The people who run the service, with their roles and sessions. */

const ROLES: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: reads everything but customers'],
  ['support', 'Support: sees customers, works on orders'],
  ['admin', 'Admin: everything'],
];

/** The people who run the service, for admins. */
export function OperatorsView() {
  const { data, error, reload } = useLoad('GET /operator/operators', {});
  const [invitation, setInvitation] = useState<OperatorInvitation>();
  const running = useRun(reload);
  const invite = async (path: { operator_id: string }) =>
    setInvitation(await call('POST /operator/operators/:operator_id/invite', { path }));
  const done = (invited: OperatorInvitation | undefined) => {
    setInvitation(invited);
    reload();
  };
  return (
    <>
      <h1>Operators</h1>
      <List
        title="People"
        actions={<OperatorButton onDone={done} />}
        rows={data?.operators}
        fault={error || running.error}
        keyOf={({ operator_id }) => operator_id}
        table={OPERATORS}
        act={(operator) => (
          <div class="buttons">
            {operator.disabled_at === null && (
              <Button
                isBusy={running.isBusy}
                onPress={() => running.run(() => invite({ operator_id: operator.operator_id }))}
                text="New access code"
              />
            )}
            <OperatorButton operator={operator} onDone={done} />
          </div>
        )}
      />
      <Sessions />
      {invitation && (
        <ShownOnce
          what="Access code"
          secret={invitation.code}
          note={`Send this to the operator. It opens one session at ${invitation.url}, within 48 hours.`}
          onClose={() => setInvitation(undefined)}
        />
      )}
    </>
  );
}

function Sessions() {
  const { data, error, reload } = useLoad('GET /operator/sessions', {});
  const running = useRun(reload);
  const end = (sessionId: string) =>
    running.run(() => call('POST /operator/sessions/:session_id/revoke', { path: { session_id: sessionId } }));
  return (
    <SessionsList
      title="Signed-in operators"
      sessions={data?.sessions}
      fault={error || running.error}
      isBusy={running.isBusy}
      end={end}
    />
  );
}

type ButtonProps = {
  /** Undefined: a new operator. */
  operator?: Operator;
  onDone(invitation: OperatorInvitation | undefined): void;
};

function OperatorButton({ operator, onDone }: ButtonProps) {
  const send = async (form: FormData) => {
    const text = (field: string) => textIn(form, field);
    const role = ROLES.find(([one]) => one === text('role'))?.[0] ?? 'viewer';
    const body = { name: text('name'), role, email: text('email'), phone: text('phone') };
    if (!operator) return onDone(await call('POST /operator/operators', { body }));
    const path = { operator_id: operator.operator_id };
    await call('POST /operator/operators/:operator_id', { path, body: { ...body, disabled: form.has('disabled') } });
    onDone(undefined);
  };
  return (
    <DialogButton
      to="admin"
      label={operator ? 'Change…' : 'Invite…'}
      title={operator ? `Change ${operator.name}` : 'Invite an operator'}
      verb={operator ? 'Save' : 'Invite'}
      send={send}
    >
      <Field label="Name" name="name" required maxLength={200} defaultValue={operator?.name ?? ''} />
      <Select label="Role" name="role" value={operator?.role ?? 'viewer'} options={ROLES} />
      <Field
        label="Email, for sign-in links and alerts"
        type="email"
        name="email"
        maxLength={254}
        defaultValue={operator?.email ?? ''}
      />
      <Field
        label="Phone, for urgent alerts"
        type="tel"
        name="phone"
        maxLength={40}
        defaultValue={operator?.phone ?? ''}
      />
      {operator && (
        <Check
          name="disabled"
          isOn={operator.disabled_at !== null}
          label="Disabled: signed out everywhere, and kept out"
        />
      )}
    </DialogButton>
  );
}
