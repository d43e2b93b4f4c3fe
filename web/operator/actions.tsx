import { post, withQuery } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { Details } from './order-tables.tsx';
import { Empty, Fault, Id, Moment, Section, Table } from './parts.tsx';
import { Pager } from './search-form.tsx';
import type { Action, Session } from './types.ts';

export function ActionsTable({ actions }: { actions: readonly Action[] }) {
  if (actions.length === 0) return <Empty>No operator has changed anything here.</Empty>;
  return (
    <Table
      caption="What operators did"
      rows={actions}
      keyOf={({ action_no }) => String(action_no)}
      columns={[
        { head: 'At', class: 'number', cell: ({ at }) => <Moment at={at} /> },
        { head: 'Change', cell: ({ action }) => <code>{action}</code> },
        { head: 'Of', cell: ({ target }) => <Id id={target} /> },
        { head: 'Details', cell: ({ details }) => <Details details={details} /> },
        { head: 'Session', cell: ({ session_id }) => <Id id={session_id} /> },
      ]}
    />
  );
}

/** What operators changed, and who is signed in. */
export function ActionsView({ query }: { query: URLSearchParams }) {
  const path = withQuery('/operator/actions', Object.fromEntries(query));
  const { data, error } = useLoad<{ actions: Action[]; next: number | null }>(path);
  return (
    <>
      <h1>Changes by operators</h1>
      <Fault>{error}</Fault>
      <Sessions />
      <Section title="Changes, newest first">
        {data ? <ActionsTable actions={data.actions} /> : <Empty>Reading changes…</Empty>}
      </Section>
      <Pager tab="changes" query={query} next={data?.next ?? null} />
    </>
  );
}

function Sessions() {
  const { data, error, reload } = useLoad<{ sessions: Session[] }>('/operator/sessions');
  const running = useRun();
  const end = (sessionId: string) =>
    running.run(async () => {
      await post(`/operator/sessions/${sessionId}/revoke`);
      reload();
    });
  return (
    <Section title="Signed-in operators">
      <Fault>{error ?? running.error}</Fault>
      {data ? (
        <SessionsTable sessions={data.sessions} isBusy={running.isBusy} end={end} />
      ) : (
        <Empty>Reading sessions…</Empty>
      )}
    </Section>
  );
}

type SessionsProps = { sessions: readonly Session[]; isBusy: boolean; end(sessionId: string): void };

export function SessionsTable({ sessions, isBusy, end }: SessionsProps) {
  if (sessions.length === 0) return <Empty>Nobody is signed in.</Empty>;
  return (
    <Table
      caption="Sessions"
      rows={sessions}
      keyOf={({ session_id }) => session_id}
      columns={[
        { head: 'Session', cell: ({ session_id }) => <Id id={session_id} /> },
        { head: 'Since', class: 'number', cell: ({ created_at }) => <Moment at={created_at} /> },
        { head: 'Last seen', class: 'number', cell: ({ seen_at }) => <Moment at={seen_at} /> },
        { head: 'Device', cell: ({ device, is_this }) => (is_this ? 'this browser' : device || 'unknown') },
        {
          head: 'Do',
          class: 'do',
          cell: ({ session_id }) => (
            <button type="button" class="danger" disabled={isBusy} onClick={() => end(session_id)}>
              End
            </button>
          ),
        },
      ]}
    />
  );
}
