import type { ComponentChildren } from 'preact';
import { KEYS } from '../../src/surfaces/operator/tables.ts';
import { call, type ListedKey } from './api.ts';
import { DialogButton, List } from './parts.tsx';

type Props = {
  title: string;
  actions: ComponentChildren;
  keys: readonly ListedKey[];
  onChange(): void;
  children?: ComponentChildren;
};

export function KeysList({ keys, onChange, ...more }: Props) {
  return (
    <List
      {...more}
      rows={keys}
      empty="No keys."
      table={KEYS}
      keyOf={({ key_id }) => key_id}
      act={({ revoked_at, hint, mode, key_id }) =>
        revoked_at === null && (
          <DialogButton
            to="admin"
            label="Revoke…"
            title={`Revoke ${hint}`}
            verb="Revoke key"
            tone="bad"
            send={() => call('POST /operator/keys/:key_id/revoke', { path: { key_id } }).then(onChange)}
          >
            <p>Every request with this {mode} key is refused from now on. This cannot be undone.</p>
          </DialogButton>
        )
      }
    />
  );
}
