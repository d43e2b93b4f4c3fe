import '../../packages/api-reference/browser/page.ts';
