import { useState } from 'preact/hooks';
import { KEYS } from '../../src/surfaces/operator/tables.ts';
import { call, type ListedKey } from './api.ts';
import { ActionDialog, Empty, fieldColumns, Table } from './parts.tsx';
import { Only } from './role.tsx';

export function KeysTable({ keys, onChange }: { keys: readonly ListedKey[]; onChange(): void }) {
  const [revoking, setRevoking] = useState<ListedKey>();
  if (keys.length === 0) return <Empty>No keys.</Empty>;
  return (
    <>
      <Table
        caption="Keys"
        rows={keys}
        keyOf={({ key_id }) => key_id}
        columns={[
          ...fieldColumns(KEYS, keys[0]),
          {
            head: 'Actions',
            class: 'do',
            cell: (key) =>
              key.revoked_at === null && (
                <Only to="admin">
                  <button type="button" class="danger" onClick={() => setRevoking(key)}>
                    Revoke…
                  </button>
                </Only>
              ),
          },
        ]}
      />
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} onDone={onChange} />}
    </>
  );
}

function RevokeDialog({ apiKey, onClose, onDone }: { apiKey: ListedKey; onClose(): void; onDone(): void }) {
  const revoke = async () => {
    await call('POST /operator/keys/:key_id/revoke', { path: { key_id: apiKey.key_id } });
    onClose();
    onDone();
  };
  return (
    <ActionDialog title={`Revoke ${apiKey.hint}`} verb="Revoke key" tone="bad" onClose={onClose} send={revoke}>
      <p>Every request with this {apiKey.mode} key is refused from now on. This cannot be undone.</p>
    </ActionDialog>
  );
}
