import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Dialog } from '../dialog.tsx';
import { messageOf } from './api.ts';
import { Button } from './button.tsx';
import { Alert } from './notices.tsx';
import type { Desk } from './use-step.ts';

const DOCUMENTS = [
  { document: 'kitchen', words: 'Kitchen ticket' },
  { document: 'receipt', words: 'Receipt' },
] as const;
type TicketDocument = (typeof DOCUMENTS)[number]['document'];

/** Longer than any dialog of a printer is open; a frame that stays costs nothing but its memory. */
const FRAME_KEPT_MS = 600_000;

type Props = { desk: Desk; order: StoreOrder; close: () => void };

/** Prints a ticket: by the browser, or again on the printer of the store. */
export function PrintDialog({ desk: { context, tell }, order, close }: Props) {
  const [busy, setBusy] = useState('');
  const [error, setError] = useState('');

  async function printAgain(document: TicketDocument, words: string): Promise<void> {
    setBusy(document);
    setError('');
    try {
      await context.api.send('POST', `/store/orders/${encodeURIComponent(order.order_id)}/print`, { document });
      tell(`${words} of order ${order.order_number}: sent to the printer.`);
      close();
    } catch (failure) {
      setError(messageOf(failure));
      setBusy('');
    }
  }

  function printHere(document: TicketDocument): void {
    printPage(`${context.ticketPath(order.order_id)}?document=${document}`);
    close();
  }

  return (
    <Dialog title={`Print order ${order.order_number}`} close={close}>
      <h3>From this device</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words }) => (
          <Button key={document} onPress={() => printHere(document)}>
            {words}
          </Button>
        ))}
      </div>
      <h3>Again on the store’s printer</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words }) => (
          <Button key={document} isBusy={busy === document} onPress={() => printAgain(document, words)}>
            {words}, a copy
          </Button>
        ))}
      </div>
      <Alert text={error} />
      <div class="buttons">
        <Button onPress={close}>Back</Button>
      </div>
    </Dialog>
  );
}

/** Lets the browser print a page of this site. */
function printPage(url: string): void {
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.title = 'Ticket';
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print());
  document.body.append(frame);
  window.setTimeout(() => frame.remove(), FRAME_KEPT_MS);
}
