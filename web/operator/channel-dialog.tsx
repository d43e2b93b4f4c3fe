import { useState } from 'preact/hooks';
import { type ChannelChanges, call } from './api.ts';
import { ActionDialog, textIn } from './parts.tsx';

const KINDS = {
  operator: { words: 'Operator: orders ring in this view', target: undefined },
  email: { words: 'Email', target: 'Address' },
  sms: { words: 'SMS', target: 'Phone number' },
  webhook: { words: 'Point-of-sale webhook', target: 'URL' },
  printer: {
    words: 'Printer',
    target: 'HOST:PORT, NAME://… of a plug-in’s printer, or cloudprnt or epson for one that polls',
  },
  auto_confirm_minutes: { words: 'Automatic confirmation', target: 'Preparation time in minutes' },
} as const;
type Kind = keyof typeof KINDS;

/** What the answer shows once. */
type Shown = { signing_secret?: string; printer_url?: string };
type Props = { storeId: string; onClose(): void; onDone(shown: Shown): void };

/** Adds a channel to a store, or changes its target. */
export function ChannelDialog({ storeId, onClose, onDone }: Props) {
  const [kind, setKind] = useState<Kind>('operator');
  const set = async (form: FormData) => {
    const body = bodyOf(kind, textIn(form, 'target'));
    const path = { store_id: storeId };
    onDone(await call('POST /operator/stores/:store_id/channels', { path, body }));
  };
  const label = KINDS[kind].target;
  return (
    <ActionDialog title="Set a channel" verb="Set" onClose={onClose} send={set}>
      <label>
        Channel
        <select
          value={kind}
          onChange={({ currentTarget: { value } }) => {
            if (isKind(value)) setKind(value);
          }}
        >
          {Object.entries(KINDS).map(([name, { words }]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {label !== undefined && (
        <label>
          {label}
          <input type="text" name="target" required />
        </label>
      )}
    </ActionDialog>
  );
}

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

function bodyOf(kind: Kind, target: string): ChannelChanges {
  if (kind === 'operator') return { operator: true };
  return { [kind]: kind === 'auto_confirm_minutes' ? Number(target) : target };
}
