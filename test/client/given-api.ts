import { type Client as ApiClient, type ClientOptions, createClient } from '../../clients/typescript/src/main.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenStores } from '../given/stores.ts';
import { type App, type AppOptions, type Client, givenOwnApp } from '../harness.ts';

/** How a request reaches the service: unchanged, or with a fault. */
export type OnTheWay = (send: () => Promise<Response>, request: Request) => Promise<Response>;

export type GivenApi = {
  app: App;
  storeId: string;
  /** The package's client with its own connection to the listening service. */
  clientOf(account: Client, options?: Partial<ClientOptions>): ApiClient;
  close(): Promise<void>;
};

/** A listening service with a pizzeria. */
export async function givenApi(options: AppOptions = {}): Promise<GivenApi> {
  const app = await givenOwnApp(options);
  const baseUrl = await app.service.listen();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  return {
    app,
    storeId,
    clientOf: (account, more = {}) => createClient({ baseUrl, key: account.key, retryDelayMs: 1, ...more }),
    close: () => app.close(),
  };
}

/** A `fetch` that injects faults. */
export function fetchThrough(onTheWay: OnTheWay): typeof fetch {
  return (input, init) => {
    const request = new Request(input, init);
    return onTheWay(() => fetch(request.clone()), request);
  };
}

/** The error `fetch` throws when a connection breaks. */
export function connectionLost(): never {
  throw new TypeError('fetch failed');
}
