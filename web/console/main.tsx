import { type ComponentChild, render } from 'preact';
import { startPage } from '../start-page.ts';
import { App } from './app.tsx';
import { createConsoleContext } from './console-context.ts';
import { LinkedOrder } from './linked-order.tsx';
import { SignIn } from './sign-in.tsx';

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
