import { Command } from 'commander';
import { answer, type OutputOptions } from './output.ts';
import type { Demo } from './prepare-demo.ts';

/**
 * `doorstep demo`, which `npm start` runs: starts the service with a demo catalog, a key and a `curl` line to paste.
 */
export function demoCommand(): Command {
  return new Command('demo')
    .option('--json', 'when ready, print one JSON document: { url, account_id, key, links, codes, curl }')
    .action(async (options: OutputOptions) => {
      const [{ runService }, { removeDemoUrl: forgetDemoUrl, prepareDemo }, { withDemoFiles }, { STREETS }] =
        await Promise.all([
          import('./run-service.ts'),
          import('./prepare-demo.ts'),
          import('./demo-file.ts'),
          import('../../../demo/streets.ts'),
        ]);
      await runService({
        role: 'all',
        streets: STREETS,
        complete: async (config) => ({
          ...(await withDemoFiles(config)),
          drainSeconds: 0,
          // Keeps log lines away from the printed links.
          logLevel: process.env.LOG_LEVEL?.trim() ? config.logLevel : 'warn',
        }),
        prepare: (service, config) => {
          service.http.addHook('onClose', () => forgetDemoUrl(config));
          return prepareDemo(service, config);
        },
        announce: (url = '', demo) => announce(url, demo, options),
      });
    });
}

function announce(url: string, demo: Demo, options: OutputOptions): void {
  const { accountId, key, storeCount, start, trackingUrl, hasDocs, storeName, codes } = demo;
  const tracking = `${trackingUrl}/tracking?tracking_id=`;
  const pages = hasDocs ? { docs: `${url}/docs/`, reference: `${url}/reference` } : undefined;
  const links = {
    shop: `${url}/shop`,
    ...pages,
    openapi: `${url}/openapi.json`,
    tracking,
    console: `${url}/console?sandbox`,
    owner: `${url}/console`,
    operator: `${url}/console/operator`,
  };
  const search = `${url}/search/store/v3?latitude=${start.latitude}&longitude=${start.longitude}&open=true&maximum_miles=5`;
  const curl = `curl -H 'Id-Token: ${key}' '${search}'`;
  const text = `
Doorstep is ready on ${url} with ${storeCount} demo stores.

Order dinner at ${links.shop} with the test card 4242 4242 4242 4242.


Links and access codes

  Store console   ${links.console}   (access code ${codes.console}: your sandbox orders at ${storeName})
  Store owner     ${links.owner}   (access code ${codes.owner}: the live menu, hours, staff and statements of ${storeName})
  Operator        ${links.operator}   (access code ${codes.operator}: every store and order)
  Tracking        ${links.tracking}<order_id>
${pages ? `  Tutorial        ${pages.docs}tutorial\n  API reference   ${pages.reference}/#key=${key}   (try every endpoint)\n` : ''}  OpenAPI         ${links.openapi}
  Sandbox key     ${key}

Find open stores with the API

  ${curl}

Ctrl-C stops it.
`;
  answer(options, { url, account_id: accountId, key, links, codes, curl }, text);
}
