import { type ReportAssets, reportAssets } from './assets.ts'
import { html, type Markup, trusted } from './markup.ts'

/**
 * A report as one file that needs nothing else. Its policy lets in the one script that it comes with, by hash, and fetches nothing, whatever a
 * submission or a judge managed to be called or to say. A submitted page that is shown in a frame inherits that policy.
 */
export function reportShell(title: string, main: Markup, data: Markup | null = null): string {
  return pageShell(title, main, { assets: reportAssets(), data })
}

/** A page with its script and style sheet in it. `connect`: the sources that its script may talk to; absent: none. */
export function pageShell(
  title: string,
  main: Markup,
  { assets, data = null, connect }: { readonly assets: ReportAssets; readonly data?: Markup | null; readonly connect?: string },
): string {
  const { script, style, scriptSource } = assets
  const policy = [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    // For submitted pages.
    "style-src 'unsafe-inline'",
    'img-src data:',
    "frame-src 'none'",
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body class="report">
<a class="skip" href="#main">Skip to content</a>
<main id="main" class="stack lg" tabindex="-1">
${main}
</main>
${data}
<script>${trusted(script)}</script>
</body>
</html>
`.markup
}
