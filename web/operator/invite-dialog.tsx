import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { call, type OperatorStore } from './api.ts';
import { useRun } from './hooks.ts';
import { DialogFoot } from './parts.tsx';
import { phoneInWords } from './words.ts';

type Props = { store: OperatorStore; onClose(): void; onDone(to: string): void };

/** Sends the owner an access code. */
export function InviteDialog({ store, onClose, onDone }: Props) {
  const [way, setWay] = useState('email');
  const [to, setTo] = useState('');
  const running = useRun();
  const isSms = way === 'sms';
  const choose = (chosen: string) => {
    setWay(chosen);
    setTo(chosen === 'sms' && store.phone !== null ? phoneInWords(store.phone) : '');
  };
  const submit = (event: Event) => {
    event.preventDefault();
    running.run(async () => {
      const body = isSms ? { phone: to } : { email: to };
      await call('POST /operator/stores/:store_id/invitations', { path: { store_id: store.store_id }, body });
      onDone(to);
    });
  };
  return (
    <Dialog title="Send an invitation" close={onClose}>
      <form onSubmit={submit}>
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
        <DialogFoot running={running} verb="Send" onClose={onClose} />
      </form>
    </Dialog>
  );
}
