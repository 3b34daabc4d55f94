import { type ReportAssets, reportAssets } from './assets.ts'
import { html, type Markup, trusted } from './markup.ts'

/**
 * Returns a report as one self-contained file. Its policy allows only its own script, by hash, and no fetch, whatever the name of a
 * submission or the text of a judge contains. A submitted page shown in a frame inherits that policy.
 */
export function reportShell(title: string, main: Markup, data: Markup | null = null): string {
  return pageShell(title, main, { assets: reportAssets(), data })
}

/** Returns a page with its script and style sheet. `connect`: the sources that the script may connect to; absent: none. */
export function pageShell(
  title: string,
  main: Markup,
  { assets, data = null, connect }: { readonly assets: ReportAssets; readonly data?: Markup | null; readonly connect?: string },
): string {
  const { script, style, scriptSource } = assets
  const policy = [
    "default-src 'none'",
    `script-src ${scriptSource}`,
    // Submitted pages need inline styles.
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
