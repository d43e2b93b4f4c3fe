import { keyOf } from './key.ts';
import { searchPage } from './search.ts';
import { offerForms } from './try.ts';

searchPage();
offerForms(keyOf());
// An address with an anchor opens where the anchor is, whatever the sections above it have grown to.
showTarget();
addEventListener('hashchange', showTarget);

/** A group of another surface opens for what is linked in it. */
function showTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const rest =
    target?.closest<HTMLDetailsElement>('.rest') ?? target?.querySelector<HTMLDetailsElement>(':scope > .rest');
  if (rest) rest.open = true;
  target?.scrollIntoView();
}
