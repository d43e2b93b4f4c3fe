import type { App } from '../harness.ts';

/** Submits a form of a tracking link's site, with the link's own query. */
export function sendForm(app: App, link: string, path: string, fields: Record<string, string>) {
  const { search } = new URL(link);
  const { host, origin, pathname } = new URL(app.config.trackingUrl);
  return app.service.http.inject({
    method: 'POST',
    url: `${pathname.replace(/\/$/, '')}/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host, origin, 'sec-fetch-site': 'same-origin' },
    payload: `${search.slice(1)}&${new URLSearchParams(fields)}`,
  });
}
