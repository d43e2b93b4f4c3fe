import { type Html, html } from '../../lib/html.ts';

const SHELL = /(?<=^|\s)(?<comment>#.*)$|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<value>\$\{?\w+\}?)/gm;
const JSON_PARTS = /(?<string>"(?:[^"\\\n]|\\.)*")|(?<value>(?<![\w.])-?\d+(?:\.\d+)?\b|\b(?:true|false|null)\b)/gm;
const SCRIPT_PARTS = [
  /(?<comment>\/\/.*$|\/\*[\s\S]*?\*\/)/,
  /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/,
  /(?<value>(?<![\w.])-?\d+(?:\.\d+)?\b|\b(?:true|false|null|undefined)\b)/,
  /(?<word>\b(?:async|await|break|case|const|else|export|for|from|function|if|import|let|new|of|return|throw|try|type|while)\b)/,
];
const SCRIPT = new RegExp(SCRIPT_PARTS.map(({ source }) => source).join('|'), 'gm');

const PARTS_OF: Readonly<Record<string, RegExp>> = {
  sh: SHELL,
  bash: SHELL,
  json: JSON_PARTS,
  js: SCRIPT,
  ts: SCRIPT,
};

/** The code with its comments, texts, values and words in elements of their own; code of any other language as it is. */
export function highlightCode(code: string, language: string | undefined): Html {
  const parts = PARTS_OF[language ?? ''];
  if (!parts) return html`${code}`;
  const pieces: (string | Html)[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(parts)) {
    const [kind] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['word'];
    pieces.push(code.slice(end, index), html`<span class="code-${kind}">${text}</span>`);
    end = index + text.length;
  }
  return html`${[...pieces, code.slice(end)]}`;
}
