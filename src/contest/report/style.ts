/** The style sheet of report.html: one file, no font and no image from anywhere, light and dark. */
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--page:#fbfaf7;--card:#fff;--line:#e3e0d8;--lead:#2f6f4f;--bar:#d9e8df;--warn:#8a5a00;--warnbg:#fdf4e0;--bad:#a3312a;--good:#2f6f4f}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a2a8ad;--page:#15181b;--card:#1d2125;--line:#32373c;--lead:#7fc8a0;--bar:#274235;--warn:#e8c06a;--warnbg:#332a15;--bad:#f0938c;--good:#7fc8a0}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:70rem;margin:0 auto;padding:3rem 1.25rem 5rem}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.02em;margin:0 0 .35rem}
h2{font-size:1.2rem;margin:3rem 0 .75rem;letter-spacing:-.01em}
h3{font-size:1rem;margin:0}
p{margin:.4rem 0}
.lede,.meta,.soft{color:var(--soft)}
.meta{font-size:.875rem;font-weight:400}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.6rem .85rem;border-bottom:1px solid var(--line);vertical-align:top;font-size:.94rem}
tbody tr:last-child>*{border-bottom:0}
th[rowspan]{border-bottom:0}
tbody+tbody tr:first-child>*{border-top:1px solid var(--line)}
.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--lead);outline-offset:2px}
thead th{font-size:.78rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft);font-weight:600;white-space:nowrap}
td.n,th.n{text-align:right;white-space:nowrap}
tbody th{font-weight:600}
.rank{font-size:1.15rem;font-weight:700;color:var(--soft)}
.first .rank,.first th{color:var(--lead)}
.score{min-width:9rem}
.score svg{display:block;margin-top:.35rem}
.track{fill:var(--bar)}.fill{fill:var(--lead)}.interval{fill:var(--ink)}
.verdict{font-size:1.15rem;max-width:46rem;margin:1.5rem 0 0}
.big{font-size:1.2rem;font-weight:700}
.pass{color:var(--good)}.fail{color:var(--bad)}.none{color:var(--soft)}
.notes{margin:1.1rem 0 0;padding-left:1.1rem;color:var(--soft);font-size:.94rem}
.aside{background:var(--warnbg);border:1px solid var(--line);border-left:4px solid var(--warn);border-radius:.6rem;padding:.9rem 1.1rem;margin:.6rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.1rem 1.1rem;margin:.4rem 0}
.scroll+.card{margin-top:.8rem}
details>summary{cursor:pointer;padding:.55rem 0;font-weight:600}
details>div{padding:0 0 .8rem}
blockquote,pre{margin:.4rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.92rem}
blockquote{border-left:3px solid var(--line);padding-left:.9rem}
pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.82rem;color:var(--soft)}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85em}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.6rem 0 1rem;font-size:.94rem}
dt{font-weight:600}
dd{margin:0;color:var(--soft)}
footer{margin-top:4rem;color:var(--soft);font-size:.85rem}
@media print{body{background:#fff}.scroll,.card{break-inside:avoid}}
`
