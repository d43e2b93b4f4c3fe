import { store as words } from '../../src/texts/en/store.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { statusOf } from '../request.ts';
import { useRun } from '../use-read.ts';
import { Alert } from './notices.tsx';
import type { DialogProps } from './use-step.ts';

const { print } = words;
const DOCUMENTS = [
  { document: 'kitchen', words: print.kitchen, again: print.kitchenAgain, sent: print.kitchenSent },
  { document: 'receipt', words: print.receipt, again: print.receiptAgain, sent: print.receiptSent },
] as const;

/** Lifetime of a print frame, longer than a printer dialog is open. A frame costs only its memory. */
const PRINT_FRAME_LIFETIME_MS = 600_000;

/** Shows a ticket, prints it in the browser, or reprints it on the store's printer. */
export function PrintDialog({ desk: { context, tell }, order, close }: Omit<DialogProps, 'steps'>) {
  const { busy, error, run } = useRun();

  async function printAgain({ document, sent }: (typeof DOCUMENTS)[number]): Promise<void> {
    const path = `/store/orders/${encodeURIComponent(order.order_id)}/print`;
    // A 409 here means that the store has no printer.
    const refuse = (failure: unknown) =>
      Promise.reject(statusOf(failure) === 409 ? new Error(print.noPrinter) : failure);
    if (!(await run(document, () => context.api.send('POST', path, { document }).catch(refuse)))) return;
    tell(sent({ number: order.order_number }));
    close();
  }

  const pathOf = (document: string) => `${context.ticketPath(order.order_id)}?document=${document}`;
  function printHere(document: string): void {
    printPage(pathOf(document));
    close();
  }

  return (
    <Dialog title={print.title({ number: order.order_number })} close={close}>
      <h3>{print.here}</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words: name }) => (
          <Button key={document} onPress={() => printHere(document)} text={name} />
        ))}
      </div>
      <h3>{print.onScreen}</h3>
      <div class="choices">
        {DOCUMENTS.map(({ document, words: name }) => (
          <a key={document} class="button plain" href={pathOf(document)} target="_blank" rel="noopener">
            {name}
          </a>
        ))}
      </div>
      <h3>{print.again}</h3>
      <div class="choices">
        {DOCUMENTS.map((each) => (
          <Button
            key={each.document}
            isBusy={busy === each.document}
            onPress={() => printAgain(each)}
            text={each.again}
          />
        ))}
      </div>
      <Alert text={error} />
      <div class="buttons">
        <Button onPress={close} text={words.frame.back} />
      </div>
    </Dialog>
  );
}

/** Opens the browser's print dialog for a page of this site. */
function printPage(url: string): void {
  const frame = document.createElement('iframe');
  frame.className = 'unseen';
  frame.title = print.frame;
  frame.src = url;
  frame.addEventListener('load', () => frame.contentWindow?.print());
  document.body.append(frame);
  window.setTimeout(() => frame.remove(), PRINT_FRAME_LIFETIME_MS);
}
