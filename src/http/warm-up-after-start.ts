import type { Http } from './http.ts';

const AFTER_MS = 5000;

/**
 * Makes the files of a page a few seconds after the service has begun to listen: until then the processors belong to the
 * start. A page that is asked for earlier makes its files itself.
 */
export function warmUpAfterStart(http: Http, make: () => Promise<unknown>): void {
  let timer: NodeJS.Timeout | undefined;
  http.addHook('onListen', async () => {
    const warn = (error: unknown) => http.log.warn({ err: error }, 'The files of a page cannot be made.');
    timer = setTimeout(() => make().catch(warn), AFTER_MS).unref();
  });
  http.addHook('onClose', async () => clearTimeout(timer));
}
