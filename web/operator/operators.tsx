import { useState } from 'preact/hooks';
import { OPERATORS } from '../../src/surfaces/operator/tables.ts';
import { SessionsTable } from './actions.tsx';
import { call, type Operator, type OperatorInvitation } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { ActionDialog, Empty, Fault, fieldColumns, Section, ShownOnce, Table, textIn } from './parts.tsx';
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
  const [edited, setEdited] = useState<Operator | 'new'>();
  const [invitation, setInvitation] = useState<OperatorInvitation>();
  const running = useRun(reload);
  const invite = async (path: { operator_id: string }) =>
    setInvitation(await call('POST /operator/operators/:operator_id/invite', { path }));
  return (
    <>
      <h1>Operators</h1>
      <Fault>{error ?? running.error}</Fault>
      <Section
        title="People"
        actions={
          <button type="button" class="main" onClick={() => setEdited('new')}>
            Invite…
          </button>
        }
      >
        {data ? (
          <OperatorsTable
            operators={data.operators}
            isBusy={running.isBusy}
            edit={setEdited}
            invite={(path) => running.run(() => invite(path))}
          />
        ) : (
          <Empty>Loading operators…</Empty>
        )}
      </Section>
      <Sessions />
      {edited && (
        <OperatorDialog
          operator={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={(invited) => {
            setEdited(undefined);
            setInvitation(invited);
            reload();
          }}
        />
      )}
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
    <Section title="Signed-in operators">
      <Fault>{error ?? running.error}</Fault>
      {data ? (
        <SessionsTable sessions={data.sessions} isBusy={running.isBusy} end={end} />
      ) : (
        <Empty>Loading sessions…</Empty>
      )}
    </Section>
  );
}

type TableProps = {
  operators: readonly Operator[];
  isBusy: boolean;
  edit(operator: Operator): void;
  invite(path: { operator_id: string }): void;
};

function OperatorsTable({ operators, isBusy, edit, invite }: TableProps) {
  return (
    <Table
      caption="Operators"
      rows={operators}
      keyOf={({ operator_id }) => operator_id}
      columns={[
        ...fieldColumns(OPERATORS, operators[0]),
        {
          head: 'Actions',
          class: 'do',
          cell: (operator) => (
            <div class="buttons">
              {operator.disabled_at === null && (
                <button type="button" disabled={isBusy} onClick={() => invite({ operator_id: operator.operator_id })}>
                  New access code
                </button>
              )}
              <button type="button" onClick={() => edit(operator)}>
                Change…
              </button>
            </div>
          ),
        },
      ]}
    />
  );
}

type DialogProps = {
  /** Undefined: a new operator. */
  operator: Operator | undefined;
  onClose(): void;
  onDone(invitation: OperatorInvitation | undefined): void;
};

function OperatorDialog({ operator, onClose, onDone }: DialogProps) {
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
    <ActionDialog
      title={operator ? `Change ${operator.name}` : 'Invite an operator'}
      verb={operator ? 'Save' : 'Invite'}
      onClose={onClose}
      send={send}
    >
      <label>
        Name
        <input type="text" name="name" required maxLength={200} defaultValue={operator?.name ?? ''} />
      </label>
      <label>
        Role
        <select name="role" defaultValue={operator?.role ?? 'viewer'}>
          {ROLES.map(([role, words]) => (
            <option key={role} value={role} selected={role === (operator?.role ?? 'viewer')}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        Email, for sign-in links and alerts
        <input type="email" name="email" maxLength={254} defaultValue={operator?.email ?? ''} />
      </label>
      <label>
        Phone, for urgent alerts
        <input type="tel" name="phone" maxLength={40} defaultValue={operator?.phone ?? ''} />
      </label>
      {operator && (
        <label class="check">
          <input type="checkbox" name="disabled" defaultChecked={operator.disabled_at !== null} />
          Disabled: signed out everywhere, and kept out
        </label>
      )}
    </ActionDialog>
  );
}
