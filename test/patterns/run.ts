import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadApart } from '../apart-packages.ts';

/**
 * `npm run patterns`: refuses regular expressions that may take more than linear time, by the rules of
 * eslint-plugin-regexp and eslint-plugin-sonarjs for those. Exit status 1 if there are any. `-- --recheck` asks recheck
 * instead, which takes minutes.
 */
const { recheck } = parseArgs({ options: { recheck: { type: 'boolean', default: false } } }).values;
// By default recheck starts a program of the platform.
Object.assign(process.env, { RECHECK_BACKEND: 'pure', RECHECK_SYNC_BACKEND: 'pure' });

type Message = { line: number; column: number; ruleId: string | null; message: string };
type Result = { filePath: string; messages: readonly Message[] };
type Rules = {
  ESLint: new (options: object) => { lintFiles(patterns: readonly string[]): Promise<Result[]> };
  checkSync(pattern: string, flags: string): { status: string; checker: string; complexity?: { summary: string } };
  parser: object;
  regexp: object;
  sonarjs: object;
};
type Pattern = { regex: { pattern: string; flags: string } };
type Context = { report(fault: { node: Pattern; message: string }): void };

const ROOT = join(import.meta.dirname, '../..');
const { checkSync, ESLint, parser, regexp, sonarjs } = await loadApart<Rules>(join(import.meta.dirname, './package'));
/** Where recheck has no proof, its fuzzer guesses, and refuses linear patterns such as `^[\w-]{1,1024}$`. */
const proven = {
  create: (context: Context) => ({
    'Literal[regex]'(node: Pattern) {
      const { status, checker, complexity } = checkSync(node.regex.pattern, node.regex.flags);
      const message = `recheck proves time of a ${complexity?.summary}.`;
      if (status === 'vulnerable' && checker === 'automaton') context.report({ node, message });
    },
  }),
};
const eslint = new ESLint({
  cwd: ROOT,
  overrideConfigFile: true,
  overrideConfig: [
    // MapLibre's files are its own.
    { ignores: ['**/*.test.ts', 'web/tracking/maplibre-gl/'] },
    {
      files: ['**/*.{ts,tsx,js,mjs}'],
      languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
      linterOptions: { reportUnusedDisableDirectives: recheck ? 'off' : 'error' },
      plugins: { recheck: { rules: { proven } }, regexp, sonarjs },
      rules: recheck
        ? { 'recheck/proven': 'error' }
        : {
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
