import { type Html, html } from 'doorstep/html';
import { isWebsite, type MapApp, mapUrl } from './map-link.ts';
import type { Position } from './position.ts';

/** Writes the attributes of a link to a place on a map. A website opens in a new tab, so that this page stays open. */
export function mapLink(app: MapApp, place: Position): Html {
  const beside = isWebsite(app) && html` target="_blank" rel="noopener noreferrer"`;
  return html`href="${mapUrl(app, place)}"${beside}`;
}
