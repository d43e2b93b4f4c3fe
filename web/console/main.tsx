import { type ComponentChild, render } from 'preact';
import { App } from './app.tsx';
import { LinkedOrder } from './linked-order.tsx';
import { createPlace } from './place.ts';
import { SignIn } from './sign-in.tsx';

const root = document.getElementById('app');
if (root) {
  const place = createPlace(root.dataset);
  const pages: Readonly<Record<string, () => ComponentChild>> = {
    'sign-in': () => <SignIn place={place} hasEnded={'ended' in root.dataset} />,
    console: () => <App place={place} />,
    order: () => <LinkedOrder place={place} />,
  };
  root.replaceChildren();
  render(pages[root.dataset.page ?? '']?.(), root);
}
