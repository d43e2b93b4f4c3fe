import type { ComponentChildren } from 'preact';
import { SESSIONS } from '../../src/surfaces/operator/tables.ts';
import { Button } from '../button.tsx';
import { actionInWords } from './action-words.ts';
import type { OperatorAction, OperatorStore } from './api.ts';
import { useLoad } from './hooks.ts';
import { Details } from './order-tables.tsx';
import { Id, List, Moment } from './parts.tsx';
import { Only } from './role.tsx';
import { Pager } from './search-form.tsx';

type ActionsProps = { title: string; actions: readonly OperatorAction[] | undefined; fault?: string };

export function ActionsList({ actions, ...more }: ActionsProps) {
  return (
    <List
      {...more}
      rows={actions}
      empty="No changes yet."
      keyOf={({ action_no }) => String(action_no)}
      columns={[
        { head: 'At', class: 'figure', cell: ({ at }) => <Moment at={at} /> },
        { head: 'Change', cell: (action) => actionInWords(action) },
        { head: 'Of', cell: ({ target }) => <Id id={target} /> },
        { head: 'Details', cell: ({ details }) => <Details details={details} /> },
        { head: 'By', cell: ({ by, session_id }) => by ?? <Id id={session_id} /> },
      ]}
    />
  );
}

/** Changes made by operators, and by owners to their brands. */
export function ActionsView({ query }: { query: URLSearchParams }) {
  const { data, error } = useLoad('GET /operator/actions', { query: Object.fromEntries(query) });
  return (
    <>
      <h1>Changes</h1>
      <ActionsList title="Newest first" actions={data?.actions} fault={error} />
      <Pager tab="changes" query={query} next={data?.next ?? null} />
    </>
  );
}

/** `is_this` marks the current session. */
type Session = OperatorStore['sessions'][number] & { is_this?: boolean };
type SessionsProps = {
  title: string;
  actions?: ComponentChildren;
  sessions: readonly Session[] | undefined;
  fault?: string;
  isBusy: boolean;
  end(sessionId: string): void;
  children?: ComponentChildren;
};

export function SessionsList({ sessions, isBusy, end, ...more }: SessionsProps) {
  return (
    <List
      {...more}
      rows={sessions?.map((session) => ({ ...session, name: session.name ?? 'the store' }))}
      empty="No one is signed in."
      table={SESSIONS}
      keyOf={({ session_id }) => session_id}
      act={({ session_id, is_this }) => (
        <Only to="admin">
          <Button
            kind="danger"
            isBusy={isBusy}
            onPress={() => end(session_id)}
            text={is_this ? 'End (this browser)' : 'End'}
          />
        </Only>
      )}
    />
  );
}
