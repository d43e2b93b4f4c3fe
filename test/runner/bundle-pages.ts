import { bundles } from '../../src/platform/lib/bundle-once.cache.ts';

/** Bundles every page that isn't bundled yet. A test that ends meanwhile would otherwise leave the bundler open. */

await import('../../src/app/wiring/routes.ts');
await Promise.all([...bundles.values()].map((bundle) => bundle()));
