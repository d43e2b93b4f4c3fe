import type { App } from '../harness.ts';

/** Sends the form of a page as a browser does. */
export const postForm = (
  app: Pick<App, 'config' | 'service'>,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) => {
  const origin = new URL(app.config.trackingUrl).origin;
  const sent = { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers };
  const payload = new URLSearchParams(form).toString();
  return app.service.http.inject({ method: 'POST', url, headers: sent, payload });
};
