import { keyOf } from './key.ts';
import { searchPage } from './search.ts';
import { offerForms } from './try.ts';

searchPage();
offerForms(keyOf());
// An address with an anchor opens where the anchor is, whatever the sections above it have grown to.
if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
