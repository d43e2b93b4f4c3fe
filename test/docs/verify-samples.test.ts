import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { givenFolder } from '../given/folder.ts';
import { textOf } from '../source-files.ts';
import { blocksOf } from './doc-blocks.ts';

const PAGE = 'docs/webhooks.md';
const folder = givenFolder('doorstep-samples');

/** The page's call to test with. */
function vector() {
  const cell = (name: string) => new RegExp(`^\\| \`?${name}\`? \\| \`(.*)\` \\|$`, 'm').exec(textOf(PAGE))?.[1] ?? '';
  const at = cell('webhook-timestamp');
  return {
    secret: cell('secret'),
    id: cell('webhook-id'),
    at,
    body: cell('body'),
    signature: cell('webhook-signature'),
    now: Number(at),
  };
}

/** The arguments of a sample; a header that is missing is null. */
type Call = Record<'id' | 'at' | 'signature', string | null> & { secret: string; body: string; now: number };

/** The arguments of the calls that each sample answers, and the responses. */
function cases() {
  const { secret, id, at, body, signature, now } = vector();
  const call: Call = { secret, id, at, body, signature, now };
  const of = (changes: Partial<Call>): Call => ({ ...call, ...changes });
  return [
    [of({}), true],
    [of({ signature: `v1,${'A'.repeat(43)}= ${signature}` }), true],
    [of({ signature: `v1,${'A'.repeat(43)}=` }), false],
    [of({ signature: signature.slice(0, -4) }), false],
    [of({ signature: '' }), false],
    [of({ body: `${body} ` }), false],
    [of({ now: now + 300 }), true],
    [of({ now: now + 301 }), false],
    [of({ now: now - 301 }), false],
    [of({ at: 'x' }), false],
    [of({ at: '9'.repeat(5000) }), false],
    [of({ id: 'é' }), false],
    [of({ signature: 'v1,é' }), false],
    [of({ id: null }), false],
    [of({ at: null }), false],
    [of({ signature: null }), false],
  ] as const;
}

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const q = (text: string | null) => JSON.stringify(text).replaceAll(/[^ -~]/g, escaped);
/** Ruby, PHP and others read `$` and `#` in double quotes. */
const single = (none: string) => (text: string | null) => (text === null ? none : `'${text}'`);

/** How a sample becomes a program that prints a word for each case, and what runs it in the folder. */
const LANGUAGES: Record<
  string,
  { file: string; program(sample: string, given: Call[]): string; commands: string[][] }
> = {
  python: {
    file: 'sample.py',
    program: (sample, given) =>
      `${sample}\n${given.map((g) => `print(verify(${[g.secret, g.id, g.at, g.signature].map(single('None'))}, b'${g.body}', ${g.now}))`).join('\n')}`,
    commands: [['python3', 'sample.py']],
  },
  go: {
    file: 'sample.go',
    program: (sample, given) => {
      const calls = given.map(
        (g) =>
          `fmt.Println(verify(${[g.secret, g.id, g.at, g.signature].map((text) => q(text ?? ''))}, []byte(${q(g.body)}), ${g.now}))`,
      );
      return `package main\nimport "fmt"\n${sample}\nfunc main() {\n${calls.join('\n')}\n}`;
    },
    commands: [['go', 'run', 'sample.go']],
  },
  php: {
    file: 'sample.php',
    program: (sample, given) =>
      `<?php\n${sample}\n${given.map((g) => `echo verify(${[g.secret, g.id, g.at, g.signature, g.body].map(single('null'))}, ${g.now}) ? "true\\n" : "false\\n";`).join('\n')}`,
    commands: [['php', 'sample.php']],
  },
  ruby: {
    file: 'sample.rb',
    program: (sample, given) =>
      `${sample}\n${given.map((g) => `puts verify(${[g.secret, g.id, g.at, g.signature, g.body].map(single('nil'))}, ${g.now})`).join('\n')}`,
    commands: [['ruby', 'sample.rb']],
  },
  java: {
    file: 'Sample.java',
    program: (sample, given) => {
      const calls = given.map(
        (g) =>
          `System.out.println(verify(${[g.secret, g.id, g.at, g.signature].map(q)}, ${q(g.body)}.getBytes(), ${g.now}L));`,
      );
      return `class Sample {\n${sample}\npublic static void main(String[] args) throws Exception {\n${calls.join('\n')}\n}\n}`;
    },
    commands: [['java', 'Sample.java']],
  },
  csharp: {
    file: 'sample.cs',
    program: (sample, given) => {
      const calls = given.map(
        (g) =>
          `System.Console.WriteLine(Verify(${[g.secret, g.id, g.at, g.signature].map(q)}, System.Text.Encoding.UTF8.GetBytes(${q(g.body)}), ${g.now}L));`,
      );
      return `class Sample {\n${sample}\nstatic void Main() {\n${calls.join('\n')}\n}\n}`;
    },
    commands: [
      ['mcs', 'sample.cs'],
      ['mono', 'sample.exe'],
    ],
  },
};

test('the call to test with is signed as Standard Webhooks says', () => {
  const { secret, id, at, body, signature } = vector();
  assert.equal(new Webhook(secret).sign(id, new Date(Number(at) * 1000), body), signature);
});

test('every sample has a runner', () => {
  const shown = blocksOf(PAGE).map(({ language }) => language);
  assert.deepEqual(
    Object.keys(LANGUAGES).filter((language) => !shown.includes(language)),
    [],
  );
});

for (const [language, { file, program, commands }] of Object.entries(LANGUAGES)) {
  const missing = commands.find(([name = '']) => spawnSync('which', [name]).status !== 0)?.[0];
  test(`the sample in ${language} takes the signed call and no other`, {
    skip: missing && `there is no ${missing} here`,
  }, () => {
    const [block] = blocksOf(PAGE).filter((one) => one.language === language);
    const given = cases();
    writeFileSync(
      join(folder, file),
      program(
        block?.text ?? '',
        given.map(([call]) => call),
      ),
    );
    let stdout = '';
    for (const [name = '', ...args] of commands) {
      const ran = spawnSync(name, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } });
      assert.equal(ran.status, 0, ran.stderr);
      stdout = ran.stdout;
    }
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => line.toLowerCase() === 'true');
    assert.deepEqual(
      answers,
      given.map(([, expected]) => expected),
    );
  });
}
