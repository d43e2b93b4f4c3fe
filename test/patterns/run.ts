import { join, relative } from 'node:path';
import { loadApart } from '../apart-packages.ts';

/**
 * `npm run patterns`: refuses regular expressions that may take more than linear time, by the rules of
 * eslint-plugin-regexp and eslint-plugin-sonarjs for those alone. Exit status 1 if there are any.
 */

type Message = { line: number; column: number; ruleId: string | null; message: string };
type Result = { filePath: string; messages: readonly Message[] };
type Rules = {
  ESLint: new (options: object) => { lintFiles(patterns: readonly string[]): Promise<Result[]> };
  parser: object;
  regexp: object;
  sonarjs: object;
};

const ROOT = join(import.meta.dirname, '../..');
const { ESLint, parser, regexp, sonarjs } = await loadApart<Rules>(join(import.meta.dirname, './package'));
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfigFile: true,
  overrideConfig: [
    // MapLibre's files are its own.
    { ignores: ['**/*.test.ts', 'web/tracking/maplibre-gl/'] },
    {
      files: ['**/*.{ts,tsx,js,mjs}'],
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
      linterOptions: { reportUnusedDisableDirectives: 'error' },
      plugins: { regexp, sonarjs },
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
        'sonarjs/slow-regex': 'error',
        'sonarjs/super-linear-regex': 'error',
      },
    },
  ],
});
const results = await eslint.lintFiles(['clients', 'demo', 'examples', 'packages', 'plugins', 'src', 'web']);
for (const { filePath, messages } of results) {
  for (const { line, column, ruleId, message } of messages) {
    process.stdout.write(`${relative(ROOT, filePath)}:${line}:${column} ${ruleId}\n  ${message}\n`);
    process.exitCode = 1;
  }
}
