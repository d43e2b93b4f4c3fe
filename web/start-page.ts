import { options } from 'preact';
import { showAfterPress } from './press.ts';
import { watchForms } from './wrong-fields.ts';

/** Begins a page that Preact renders into its root: its forms are watched, and nothing changes below a finger. */
export function startPage(show: (root: HTMLElement) => void): void {
  const root = document.getElementById('app');
  if (!root) return;
  watchForms();
  options.debounceRendering = (render) => queueMicrotask(() => showAfterPress(render));
  show(root);
}
