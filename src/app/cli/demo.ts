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
        complete: async (config) => ({ ...(await withDemoFiles(config)), drainSeconds: 0 }),
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
Order dinner: ${links.shop}

Doorstep is ready on ${url} with ${storeCount} demo stores.

  Sandbox key     ${key}
${pages ? documentLines(pages, key) : ''}  OpenAPI         ${links.openapi}
  Tracking site   ${links.tracking}<order_id>
  Store console   ${links.console}   (access code ${codes.console}: your orders at ${storeName})
  Store owner     ${links.owner}   (access code ${codes.owner}: a demo of ${storeName}'s live console: menu, hours, staff, statements)
  Operator        ${links.operator}   (access code ${codes.operator})

What the sandbox key can do, without a card, a store or a courier (docs/integrating.md):

  pay             card 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined, 4000 0025 0000 3155 asks its holder
  order           POST /order/order/v2; a simulated store confirms it, and a simulated driver brings it by itself
  play along      in the store console the orders wait for you; POST /sandbox/orders/{order_id}/advance takes a step too
  look            GET /sandbox/charges and /sandbox/messages show what was charged, mailed and sent

Stores that are open near a demo diner:

  ${curl}

Ctrl-C stops it.
`;
  answer(options, { url, account_id: accountId, key, links, codes, curl }, text);
}

function documentLines({ docs, reference }: { docs: string; reference: string }, key: string): string {
  return `  Documents       ${docs}   (with a tutorial of ten minutes)
  API reference   ${reference}/#key=${key}   (every endpoint, to be tried with the key)
`;
}
