import { html, markupOf } from '../lib/html.ts';

/** The paths of the page's files, and the path before the service's own routes: empty, or the path of BASE_URL. */
export type OperatorFrame = { basePath: string; scriptPath: string; stylePath: string; iconPath: string };

/** The frame that the script fills: everything in it comes from the routes of operators. */
export function operatorPage({ basePath, scriptPath, stylePath, iconPath }: OperatorFrame): string {
  return `<!doctype html>${markupOf(html`
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Operator · Doorstep</title>
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script type="module" src="${scriptPath}"></script>
</head>
<body data-base="${basePath}"><div id="app"><p class="boot">Loading the operator's view…</p></div>
<noscript><p class="boot">The operator's view needs JavaScript.</p></noscript>
</body>
</html>`)}`;
}
