import { type Html, html, safeHttpUrl, toMarkup, trustMarkup } from 'doorstep/html';
import { Marked } from 'marked';
import type { Schema } from './api-document.ts';

/** A field of an object, a parameter or a header. */
type Member = { name: string; schema: Schema; isRequired: boolean; description?: string | undefined };

/** Returns the anchor of a named schema. */
export const schemaId = (name: string) => `schema-${name}`;

/** Renders an object's members, its variants, or an array's items; nothing for a plain value. */
export function showShape(schema: Schema): Html | undefined {
  if (schema.allOf) return html`${schema.allOf.map((part) => showPart(part))}`;
  const variants = variantsOf(schema);
  if (variants.length === 1) return variants[0] && showShape(variants[0]);
  if (variants.some((variant) => showShape(variant))) {
    return html`<p class="soft">One of:</p><ul class="variants">${variants.map((variant) => html`<li>${showPart(variant)}</li>`)}</ul>`;
  }
  if (schema.items) return showShape(schema.items);
  const members = schemaMembers(schema);
  return members.length > 0 ? showMembers(members) : undefined;
}

/** Returns a value's variants except null, which the type name includes. */
const variantsOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');

const showPart = (schema: Schema) => showShape(schema) ?? html`<p>${showType(schema)}</p>`;

const schemaMembers = ({ properties = {}, required = [] }: Schema): Member[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));

/** Renders the members with names, types and descriptions; nested objects can be expanded. */
export function showMembers(members: readonly Member[]): Html {
  return html`<dl class="members">${members.map(
    ({ name, schema, isRequired, description }) =>
      html`<div><dt><code>${name}</code> ${showType(schema)}${
        isRequired && html` <span class="required">required</span>`
      }</dt><dd>${showProse(description ?? schema.description)}${showBounds(schema)}${showNested(name, schema)}</dd></div>`,
  )}</dl>`;
}

function showNested(name: string, schema: Schema): Html | undefined {
  const shape = showShape(schema);
  return shape && html`<details><summary>Members of <code>${name}</code></summary>${shape}</details>`;
}

/** Renders a value's type; a named schema links to its section. */
export function showType(schema: Schema): Html {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return html`<a class="type" href="?tag=Schemas#${schemaId(name)}">${name}</a>`;
  if (schema.items) return html`<span class="type">list of</span> ${showType(schema.items)}`;
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  if (variantsOf(schema).filter((variant) => showShape(variant)).length > 1) return word('one of several');
  const types = new Map(variants.map((variant) => [toMarkup(showType(variant)), showType(variant)]));
  if (types.size > 0) return html`${[...types.values()].map((type, n) => html`${n > 0 && word(' or ')}${type}`)}`;
  return word(typeWord(schema));
}

const word = (text: string) => html`<span class="type">${text}</span>`;

function typeWord(schema: Schema): string {
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const types = schema.type ? [schema.type].flat() : [...new Set(values.map((value) => typeof value))];
  const words = types.length > 0 ? types.join(' or ') : schema.properties || schema.allOf ? 'object' : 'any value';
  return schema.format ? `${words} (${schema.format})` : words;
}

function showBounds(whole: Schema): Html | false {
  const variants = variantsOf(whole);
  const schema = variants.length === 1 ? { ...whole, ...variants[0] } : whole;
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const bounds = [
    values.length > 0 && `One of ${values.map((value) => `\`${value}\``).join(', ')}.`,
    describeRange(minimum, maximum),
    describeRange(minLength, maxLength, 'character', 'characters'),
    describeRange(minItems, maxItems, 'entry', 'entries'),
    schema.default !== undefined && `Default \`${JSON.stringify(schema.default)}\`.`,
  ].filter((bound) => bound !== false);
  return bounds.length > 0 && html`<p class="bounds">${showInline(bounds.join(' '))}</p>`;
}

function describeRange(least: number | undefined, most: number | undefined, one = '', many = ''): string | false {
  if (least === undefined && most === undefined) return false;
  const unit = (most ?? least) === 1 ? one : many;
  const end = unit === '' ? '.' : ` ${unit}.`;
  if (least === undefined) return `At most ${most}${end}`;
  if (most === undefined) return `At least ${least}${end}`;
  return least === most ? `Exactly ${least}${end}` : `${least} to ${most}${end}`;
}

/** The Markdown of descriptions: raw HTML is text, and links lead to web addresses only. */
const PROSE = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    link({ href, tokens }) {
      const words = trustMarkup(this.parser.parseInline(tokens));
      const url = safeHttpUrl(href);
      return toMarkup(url === undefined ? words : html`<a href="${url}">${words}</a>`);
    },
  },
});

/** Renders the Markdown of a description. */
export const showProse = (text: string | undefined): Html | undefined =>
  text ? trustMarkup(PROSE.parse(text, { async: false })) : undefined;

/** Renders one line of text with code, bold and links. */
export const showInline = (text: string): Html => trustMarkup(PROSE.parseInline(text, { async: false }));
