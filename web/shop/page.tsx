import { hydrate } from 'preact';
import { startPage } from '../start-page.ts';
import { App } from './app.tsx';
import type { ShopBoot } from './boot.ts';
import { keepApart } from './device.ts';
import { createShop } from './shop-context.ts';

startPage((root) => {
  const boot: ShopBoot = JSON.parse(document.getElementById('boot')?.textContent ?? '');
  keepApart(boot.base);
  hydrate(<App shop={createShop(boot, new URL(boot.apiBase, location.origin).href)} />, root);
});
