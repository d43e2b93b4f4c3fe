export { default as packaged } from '@sparticuz/chromium';
export { chromium } from 'playwright-core';
