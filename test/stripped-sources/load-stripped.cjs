// Plain JavaScript without imports: NODE_OPTIONS loads it into each process of a run, before the loader of modules is
// started, and into those of earlier versions of Node.js, which read the sources as they are.
const { readFileSync } = require('node:fs');
const { registerHooks } = require('node:module');

const LIST = process.env.DOORSTEP_TEST_STRIPPED_SOURCES;
if (LIST) loadStripped(LIST);

/**
 * Makes this process load sources from one file that has them without their types (test/stripped-sources/strip-sources.ts).
 * A module keeps its URL and its lines. The time is saved to look for each file, to open it, and to read what it was
 * compiled to twice.
 */
function loadStripped(list) {
  const { version, root, text, spans } = JSON.parse(readFileSync(list, 'utf8'));
  if (version !== process.version) return;
  let all;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier[0] !== '.' || !context.parentURL?.startsWith(root)) return next(specifier, context);
      const { href } = new URL(specifier, context.parentURL);
      if (!spans[href.slice(root.length)]) return next(specifier, context);
      return { url: href, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      const span = url.startsWith(root) ? spans[url.slice(root.length)] : undefined;
      if (!span) return next(url, context);
      all ??= readFileSync(text);
      return { format: 'module', source: all.subarray(...span), shortCircuit: true };
    },
  });
}
