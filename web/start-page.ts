import { options } from 'preact';
import { showAfterPress } from './press.ts';
import { watchForms } from './wrong-fields.ts';

/** What a page that Preact renders begins with: its forms are watched, and nothing changes below a finger. */
export function startPage(): void {
  watchForms();
  options.debounceRendering = (render) => queueMicrotask(() => showAfterPress(render));
}
