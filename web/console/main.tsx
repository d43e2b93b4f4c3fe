import { type ComponentChild, render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { store as words } from '../../src/texts/en/store.ts';
import { startPage } from '../start-page.ts';
import { App } from './app.tsx';
import { type ConsoleContext, createConsoleContext } from './console-context.ts';
import { useSubscription } from './hooks.ts';
import { LanguageChoice } from './language-choice.tsx';
import { createLiveOrders } from './live-orders.ts';
import { NoticeRow, useNotice } from './notices.tsx';
import { laneOf } from './order-board.ts';
import { OrderCard } from './order-card.tsx';
import { SignIn } from './sign-in.tsx';
import { ConnectionBar } from './status-bars.tsx';
import type { Desk } from './use-step.ts';

startPage((root) => {
  const context = createConsoleContext(root.dataset);
  const pages: Readonly<Record<string, () => ComponentChild>> = {
    'sign-in': () => (
      <SignIn context={context} hasEnded={'ended' in root.dataset} isOperators={'operators' in root.dataset} />
    ),
    console: () => <App context={context} />,
    order: () => <LinkedOrder context={context} />,
  };
  root.replaceChildren();
  render(pages[root.dataset.page ?? '']?.(), root);
});

/** The page of one order, opened by the link in an email or SMS to the store. */
function LinkedOrder({ context }: { context: ConsoleContext }) {
  const live = useMemo(() => createLiveOrders(context), []);
  const snapshot = useSubscription(live.subscribe, live.now);
  const { notice, tell, close } = useNotice();
  const desk: Desk = { context, live, tell };
  const [order] = snapshot.orders.values();
  const hasEnded = snapshot.isRefused || (order !== undefined && laneOf(order) === 'done');
  // With the order, the link ends.
  useEffect(() => (hasEnded ? undefined : live.start()), [hasEnded]);

  return (
    <div class="linked">
      <header>
        <p class="wordmark">{context.storeName}</p>
        <LanguageChoice context={context} />
      </header>
      {!hasEnded && <ConnectionBar connection={snapshot.connection} />}
      <main id="main" tabIndex={-1}>
        <h1 class="unseen">{words.order.title({ number: order?.order_number ?? '' })}</h1>
        <h2 class="unseen">{words.page.linkedOrder}</h2>
        {order && <OrderCard desk={desk} order={order} />}
        {!order && !snapshot.isRefused && <p class="empty">{words.page.loadingOrder}</p>}
        {hasEnded && (
          <p class="ended" role="status">
            {endInWords(order?.status)}
          </p>
        )}
      </main>
      <NoticeRow notice={notice} close={close} />
    </div>
  );
}

function endInWords(status: string | undefined): string {
  if (status === 'completed') return words.page.doneEnd;
  return status === 'canceled' ? words.page.canceledEnd : words.page.otherEnd;
}
