import { useState } from 'preact/hooks';
import { phoneInWords } from '../../src/platform/lib/phone.ts';
import { call, type OperatorStore } from './api.ts';
import { ActionDialog } from './parts.tsx';

type Props = { store: OperatorStore; onClose(): void; onDone(to: string): void };

/** Sends the owner an access code. */
export function InviteDialog({ store, onClose, onDone }: Props) {
  const [way, setWay] = useState('email');
  const [to, setTo] = useState('');
  const isSms = way === 'sms';
  const choose = (chosen: string) => {
    setWay(chosen);
    setTo(chosen === 'sms' && store.phone !== null ? phoneInWords(store.phone) : '');
  };
  const send = async () => {
    const body = isSms ? { phone: to } : { email: to };
    await call('POST /operator/stores/:store_id/invitations', { path: { store_id: store.store_id }, body });
    onDone(to);
  };
  return (
    <ActionDialog title="Send an invitation" verb="Send" onClose={onClose} send={send}>
      <p>An access code for the console, in the store's language. It works once, within 48 hours.</p>
      <label>
        Send by
        <select value={way} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="email">Email</option>
          <option value="sms">SMS</option>
        </select>
      </label>
      <label>
        {isSms ? 'Phone' : 'Email'}
        <input
          type="text"
          inputMode={isSms ? 'tel' : 'email'}
          required
          value={to}
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </label>
    </ActionDialog>
  );
}
