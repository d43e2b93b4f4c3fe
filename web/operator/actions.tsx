import { SESSIONS } from '../../src/surfaces/operator/tables.ts';
import { actionInWords } from './action-words.ts';
import type { OpenSession, OperatorAction } from './api.ts';
import { useLoad } from './hooks.ts';
import { Details } from './order-tables.tsx';
import { Empty, Fault, fieldColumns, Id, Moment, Section, Table } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';

export function ActionsTable({ actions }: { actions: readonly OperatorAction[] }) {
  if (actions.length === 0) return <Empty>No changes yet.</Empty>;
  return (
    <Table
      caption="Operator changes"
      rows={actions}
      keyOf={({ action_no }) => String(action_no)}
      columns={[
        { head: 'At', class: 'number', cell: ({ at }) => <Moment at={at} /> },
        { head: 'Change', cell: (action) => actionInWords(action) },
        { head: 'Of', cell: ({ target }) => <Id id={target} /> },
        { head: 'Details', cell: ({ details }) => <Details details={details} /> },
        { head: 'By', cell: ({ by, session_id }) => by ?? <Id id={session_id} /> },
      ]}
    />
  );
}

/** Changes made by operators. */
export function ActionsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/actions', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Operator changes</h1>
      <Fault>{error}</Fault>
      <Section title="Changes, newest first">
        {data ? <ActionsTable actions={data.actions} /> : <Empty>Loading changes…</Empty>}
      </Section>
      <Pager tab="changes" query={query} next={data?.next ?? null} />
    </>
  );
}

/** `is_this` marks the current session. */
type Session = OpenSession & { is_this?: boolean };
type SessionsProps = { sessions: readonly Session[]; isBusy: boolean; end(sessionId: string): void };

export function SessionsTable({ sessions, isBusy, end }: SessionsProps) {
  if (sessions.length === 0) return <Empty>No one is signed in.</Empty>;
  return (
    <Table
      caption="Sessions"
      rows={sessions.map((session) => ({ ...session, name: session.name ?? 'the store' }))}
      keyOf={({ session_id }) => session_id}
      columns={[
        ...fieldColumns(SESSIONS, sessions[0]),
        {
          head: 'Actions',
          class: 'do',
          cell: ({ session_id, is_this }) => (
            <Only to="admin">
              {is_this && <span class="soft">this browser </span>}
              <button type="button" class="danger" disabled={isBusy} onClick={() => end(session_id)}>
                End
              </button>
            </Only>
          ),
        },
      ]}
    />
  );
}
