import { globSync } from 'node:fs';
import { ROOT, textOf } from './source-files.ts';

/**
 * Counts un-idiomatic patterns in documents, customer texts, comments, test names and API descriptions. It is no
 * grammar: a text without hits can still be hard to read. `npm run prose` prints hits per 1,000 words,
 * `npm run prose -- --list answer --in docs` the hits of one pattern.
 */

const OWNER =
  '(?:store|order|account|customer|driver|product|key|page|node|card|cart|menu|platform|shop|brand|item|tax|class|feed|courier|operator|delivery|program|host|domain|webhook|plug-in|printer|session|payer|promotion|checkout|statement|kitchen|charge|refund|tip|quote|slot)';
const OWNED =
  '(?:menu|prices?|rates?|links?|pages?|keys?|limits?|hours|names?|address|addresses|owners?|tax|taxes|fees?|codes?|ids?|statements?|bod(?:y|ies)|settings?|currency|status|state|total|clock|language|logo|photo|tablets?|printer|console|channels?|terms|budget|webhooks?|secret|email|phone|number|drivers?|customers?|staff|class|classes|brand|color|positions?|city|zone|room|orders|tips|charges|version|look|sandbox|domain|profile|metadata|events|minutes|kitchen)';
const HOLDER =
  '(?:answers?|responses?|inventor(?:y|ies)|details|pages?|tickets?|messages?|quotes?|orders?|lists?|history|logs?|files?|manifest|profiles?|tables?|records?|rows?|calls?|events?|documents?|reports?|health|reference|statements?|menus?|receipts?|bod(?:y|ies)|versions?|elements?|catalogs?|texts|mails?|releases?|`[\\w./]+`)';
const MACHINE =
  '(?:it|which|pages?|labels?|records?|documents?|descriptions?|profiles?|metadata|headers?|events?|answers?|columns?|rows?|settings?|tables?|scripts?|service|doorstep|api|messages?|tickets?|feeds?|quotes?|bodies|body|name|logs?|checkout|scale|check|engine|index|process|worker|thread|cache|gateway|files?|keys?|schema|rule|plan|sandbox|client|platform)';
const PARTICIPLE =
  '(?:\\w+(?:ed|awn|own|old|ade|ent|ept|ven|ken|ten|sen|ood)|set|put|read|cut|lost|found|sold|paid|held|left|shut|missing|wrong|absent|open|due|full|here|there)';
const PERFECT =
  '\\w+(?:ed|en|own|old|ade|ent|eft|one|un|ought|aught|ost|ut|et|aid|ound|eld|ept|ome|ad)\\b(?! \\w*s\\b)';

/** Each with an example that it finds. */
export const PATTERNS: Readonly<Record<string, { pattern: RegExp; example: string }>> = {
  'what-clause': {
    pattern:
      /(?<!\b(?:says?|said|saying|shows?|explains?|describes?|knows?|decides?|tells?|choose|exactly|just|see|understand|judges?|about) )(?<![?"“])\b[Ww]hat (?!to\b|happen|if\b|else\b|about\b|kind|time\b|you\b|we\b|do\b|does\b|did\b|would\b)(?:[a-z’']+)\b(?![^.;|\n]{0,90}\?)/g,
    example: 'What a store edits outlives imports.',
  },
  'that-of': {
    pattern:
      /\b(?:that|those) of\b|\b(?:[Oo]nes?|[Tt]hose) (?:that|which|whose|who)\b|\bthe ones? (?:before|after|above|below)\b|\banother one\b/g,
    example: 'Statuses are those of food.',
  },
  'of-genitive': {
    pattern: new RegExp(
      `\\b${OWNED} of (?:an?|the|its|their|this|that|each|every|your) (?:[a-z]+ )?${OWNER}s?\\b(?!['’-]| (?:fee|page|body|link|code|ID|address|element)s?\\b)`,
      'gi',
    ),
    example: 'the hours of the store',
  },
  'prep-which': {
    pattern:
      /\b(?:in|on|at|by|of|from|to|for|with|under|after|before|through|within|below|above|until|into) (?:which|whom)\b/gi,
    example: 'the minutes in which it is cooked',
  },
  'that-is-ed': {
    pattern: new RegExp(
      `(?<!\\b(?:if|where|when|than|until|while|of|and|but|for|with|as|after|before|until) |[,;:(] )\\b(?:that|which) (?:is|are|was|were) (?:not )?${PARTICIPLE}(?=[.,;:)]|$| (?:is|are|was|were|has|have|waits?|stays?|gets?|and|or|but|takes?|does|do|may|can|cannot|must|while|until|too|again|then|ends?|comes?|counts?|makes?|pays?|shows?|gives?|needs?|leaves?|keeps?|goes)\\b)`,
      'g',
    ),
    example: 'orders that are placed keep their time',
  },
  'at-most': { pattern: /\bat most\b/gi, example: 'at most 64 KiB' },
  'is-404': {
    pattern:
      /\b(?:is|are|was|were)(?: then| also| always)? (?:a |an )?(?:4\d\d|5\d\d|20\d|30\d)\b(?! ?(?:%|seconds|ms|px|characters|bytes|stores|orders|KiB|MiB|kB|MB|requests|cents|meters|minutes|days|of\b|and\b))/g,
    example: 'an unknown order is 404',
  },
  alone: {
    pattern:
      /(?<!\b(?:leaves?|leave it|leave them|let|stands?|left|it|them|runs?) )(?<!\bby (?:[\w’'`-]+ ){1,4})\balone\b/gi,
    example: 'for live keys alone',
  },
  'thing-has': {
    pattern: new RegExp(
      `\\b${HOLDER} (?:has|have) (?!to\\b|been\\b|no longer\\b|not\\b|never\\b|just\\b|already\\b|yet\\b|ever\\b|only been\\b|also been\\b|${PERFECT})`,
      'gi',
    ),
    example: 'The response has a list.',
  },
  else: { pattern: /(?:[,;(]\s*|— )else\b(?! if\b)/gi, example: "the feed's, else its one rate" },
  'thing-knows': {
    pattern: new RegExp(
      `\\bst(?:ands?|ood) (?:in (?!(?:its|their|the) (?:place|stead)|for\\b)|at|under|on|below|above|there|by (?!themselves)|as it|apart)\\b|\\b${MACHINE} (?:knows?|knew|wants?|learns?|lives?|brings?|speaks?|hears?|tells?|told)\\b|\\b(?:service|node|worker|gateway|file|format|geocoder|oracle|feed|page|engine|index|catalog|client) that (?:knows?|wants?|brings?|lives?|speaks?|asks?|hears?)\\b`,
      'gi',
    ),
    example: 'The page knows its order.',
  },
  beside: { pattern: /\bbeside\b/gi, example: 'beside the price' },
  sequence: {
    pattern: /(?<![/`.\w]|\b(?:this|last|its|each|by|up to) )\bsequences?\b(?! (?:number|diagram|point|of JSON))/gi,
    example: 'in the sequence of the feed',
  },
  counts: {
    pattern:
      /(?<!\b(?:the|slot|word|row|stock|of|its|their|no|and|returns) )\bcounts(?=[.;,):]|$| (?:alone|first|here|there)\b)/g,
    example: 'The first match counts.',
  },
  'give-back': {
    pattern:
      /\bg(?:ive|ives|ave|iven|iving)(?: \w+){0,3} back\b|\b(?:go|goes|going|went) on\b(?! (?:duty|sale|the way|its way|their way|to the|a |an |top|hold))/gi,
    example: 'gives the money back',
  },
  'a-for-per': {
    pattern:
      /(?<!\bat )(?<=\b(?:made|charged|cost|costs|counts?|used|taken|done|takes|back|effect|it|money|lines|stores|[,;(]|and|again) |[,;(] ?|^)once an? (?:order|line|key|`key`|`reference`|reference|store|node|account|user|unit|item|page|request)\b|`key`[^.;]{0,20}\bone delivery a `key`|\b\d[\d,.]*(?: (?:lines|stores|items|requests|tries|uses|orders|more))? an? (?:page|line|order|key|store|node|account|user|unit|item|contact|address|worker|client|visitor)\b(?! (?:is|has|of))|\b\d[\d,.]* an? (?:minute|day|hour|second) and \w+|\bonce for an? (?:order|account|store|key)\b/gim,
    example: '50 a page',
  },
  whatever: {
    pattern: /\b(?:how(?!ever ?,)|what|which|who|where)ever\b(?! you like| is (?:left|needed)\b)/gi,
    example: 'however often it repeats',
  },
  nobody: { pattern: /\b(?:no|some|any|every)body(?:[’']s)?\b/gi, example: 'nobody reads it' },
  'leading-of': {
    pattern:
      /(?:^|[.;:] )Of (?:a|an|the|its|their|all|goods|these|this|that|what|several|one|each|every|some|two|both|stores|orders)\b/g,
    example: 'Of a search.',
  },
  'house-word': {
    pattern:
      /\b(?:refusals?|faults?|outside (?:party|parties)|hand(?:ed|s)? (?:\w+ )?over|handover|strangers?|foreign (?:data|domain|address|snapshot|words)|bounds(?! of an array)|members? of (?:an?|the|its) (?:body|object|request|order|answer|response|element|row|json|store|item|product)|last four digits and brand)\b/gi,
    example: 'one refusal lists all',
  },
  answer: {
    pattern:
      /\b(?:the|an|its|each|every|this|same|first|no|any|all|other|their|whose|lost|later|those|second|new|one|that) answers?\b(?! (?:is no\b|requests|calls))/gi,
    example: 'the answer of the API',
  },
};
/** A summary starts with a verb. */
const NOUN_SUMMARY = /^(?:What|Where|Whether|Who|How|The|A|An|It|For)\b/g;

export type Passage = { file: string; line: number; text: string; isSummary?: boolean };
export type Hit = Passage & { name: string; found: string; at: number };

const GENERATED = new Set(['docs/command-line.md', 'docs/errors.md', 'clients/typescript/src/api-types.ts']);
const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (name) => /node_modules|^dist$/.test(name) })
    .filter((file) => !GENERATED.has(file) && !file.endsWith('.d.ts'))
    .sort();
const CODE = () => filesOf('{src,packages,plugins,web,test,bench,demo,deploy,examples,clients}/**/*.{ts,tsx,mjs}');

/** The paragraphs, list items and table cells of a document, without its code blocks. */
function passagesOfPage(file: string): Passage[] {
  let isCode = false;
  return textOf(file)
    .split('\n')
    .flatMap((line, index) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) isCode = !isCode;
      if (isFence || isCode || /^\s*<!--/.test(line)) return [];
      const text = line
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/`[^`]*\.(?:ts|tsx|mjs|js|md|json|sql|yaml)[^`]*`/g, '`file`');
      return [{ file, line: index + 1, text }];
    });
}
export const PAGES = () => filesOf('[A-Z]*.md', 'docs/**/*.md').filter((file) => !file.startsWith('docs/adr/'));

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length;

function commentsOf(file: string): Passage[] {
  const text = textOf(file);
  return [...text.matchAll(/^[ \t]*(?:\/\/.*(?:\n[ \t]*\/\/.*)*|\/\*[\s\S]*?\*\/)/gm)]
    .map(({ 0: comment, index }) => ({
      file,
      line: lineAt(text, index),
      text: comment.replace(/^[ \t]*(?:\/\/|\/\*+|\*\/|\*) ?|\*\/$/gm, '').replaceAll('\n', ' '),
    }))
    .filter(({ text: said }) => /[a-z]{3}/.test(said) && !/^(?:biome-ignore|@ts-|Stryker)/.test(said));
}

function testNamesOf(file: string): Passage[] {
  const text = textOf(file);
  return [...text.matchAll(/\b(?:test|t\.test|describe)\(\s*(['`"])(.+?)\1\s*,/g)].map(({ 2: name = '', index }) => {
    return { file, line: lineAt(text, index), text: name };
  });
}

const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

function literalsOf(file: string, isWanted: (text: string, before: string) => boolean): Passage[] {
  const code = textOf(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...code.matchAll(LITERAL)].flatMap((match) => {
    const text = (match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(['`"])/g, '$1');
    const before = code.slice(Math.max(0, match.index - 40), match.index);
    const isSummary = /summary:\s*$/.test(before);
    return isWanted(text, before) ? [{ file, line: lineAt(code, match.index), text, isSummary }] : [];
  });
}
const isDescription = (text: string, before: string) =>
  /(?:summary|description|meaning|help|title):\s*$/.test(before)
    ? / /.test(text) && !/^[\w/.-]+$/.test(text)
    : /^[A-Z`].* .* .*[.:]$/s.test(text) && !/^(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE)\b|[{}<>=]{3}|=>/i.test(text);

export const CORPORA: Readonly<Record<string, () => Passage[]>> = {
  docs: () => PAGES().flatMap(passagesOfPage),
  texts: () =>
    filesOf('src/texts/en/*.ts').flatMap((file) =>
      literalsOf(file, (text) => /[a-z] |^[A-Z][a-z]+/.test(text) && !text.includes('../')),
    ),
  comments: () => CODE().flatMap(commentsOf),
  tests: () =>
    CODE()
      .filter((file) => /\.test\.tsx?$|^test\//.test(file))
      .flatMap(testNamesOf),
  api: () =>
    filesOf('{src,plugins}/**/*.ts')
      .filter((file) => !/\.test\.ts$|^src\/texts\/(?:en|fr|es)\//.test(file))
      .flatMap((file) => literalsOf(file, isDescription)),
};

const withoutCode = (text: string) => text.replace(/\$\{[^{}]*\}/g, 'X');

export function hitsIn(passages: readonly Passage[]): Hit[] {
  return passages.flatMap((passage) => {
    const text = withoutCode(passage.text);
    const named = Object.entries(PATTERNS).map(([name, { pattern }]) => [name, pattern] as const);
    return [...named, ...(passage.isSummary ? [['noun-summary', NOUN_SUMMARY] as const] : [])].flatMap(
      ([name, pattern]) =>
        [...text.matchAll(pattern)].map(({ 0: found, index: at }) => ({ ...passage, text, name, found, at })),
    );
  });
}

const wordsOf = (passages: readonly Passage[]) =>
  passages.reduce((sum, { text }) => sum + (text.match(/[A-Za-z’']+/g) ?? []).length, 0);

/** Hits per 1,000 words. */
export const rateOf = (passages: readonly Passage[]) => (hitsIn(passages).length / wordsOf(passages)) * 1000;

const MAX_SENTENCE = 35;
const MAX_PARAGRAPH = 60;
const lengthOf = (text: string) => (text.match(/[A-Za-z0-9’'_`.-]+/g) ?? []).length;

/** Sentences of more than 35 words, and paragraphs, list items and table cells of more than 60. */
export function longPassages(passages: readonly Passage[]): Passage[] {
  return passages.flatMap((passage) =>
    (passage.text.startsWith('|') ? passage.text.split('|') : [passage.text]).flatMap((paragraph) => {
      const sentences = paragraph.split(/(?<=[.!?])\s+(?=[A-Z`*])/).filter((each) => lengthOf(each) > MAX_SENTENCE);
      const long = lengthOf(paragraph) > MAX_PARAGRAPH ? [paragraph] : sentences;
      return long.map((text) => ({ ...passage, text }));
    }),
  );
}

if (import.meta.main) {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const option = (name: string) => process.argv[process.argv.indexOf(name) + 1] ?? '';
  const isGiven = (name: string) => process.argv.includes(name);
  for (const [corpus, load] of Object.entries(CORPORA)) {
    if (isGiven('--in') && option('--in') !== corpus) continue;
    const passages = load();
    if (isGiven('--long')) {
      for (const { file, line, text } of longPassages(passages)) print(`${file}:${line} ${text}`);
    } else if (isGiven('--list')) {
      for (const { file, line, name, text, found, at } of hitsIn(passages)) {
        if (name !== option('--list') && option('--list') !== 'all') continue;
        const [before, after] = [text.slice(Math.max(0, at - 60), at), text.slice(at + found.length).slice(0, 60)];
        print(`${file}:${line} ${name}: …${before}«${found}»${after}…`);
      }
    } else print(`${corpus}: ${rateOf(passages).toFixed(1)} per 1,000 words`);
  }
}
