/** Returns submission files that try to reach a server when somebody views them. */
function hostile(port: number): Readonly<Record<string, string>> {
  const to = (what: string): string => `http://127.0.0.1:${port}/${what}`
  return {
    'index.html': `<!doctype html><meta http-equiv="refresh" content="0;url=${to('refresh')}"><base href="${to('base/')}">
<link rel="stylesheet" href="${to('sheet')}"><style>@import "${to('import')}"; body{color:rgb(1,2,3);background:url(${to('background')})}</style>
<script>fetch("${to('fetch')}"); top.location = "${to('top')}"; new Image().src = "${to('image')}"</script>
<img src="${to('img')}" onerror="location='${to('onerror')}'"><iframe src="${to('frame')}"></iframe><object data="${to('object')}"></object>
<form action="${to('form')}"><button id="send">Send</button></form><a id="go" href="${to('link')}" ping="${to('ping')}">Go</a>
<a id="up" href="${to('up')}" target="_top">Up</a><video src="${to('video')}" autoplay></video><p>I look harmless.</p>`,
    'README.md': `# Hello\n<script>fetch("${to('md-script')}")</script>\n\n![a](${to('md-image')})\n\n[look](${to('md-link')} "x")\n\n<img src=${to('md-html')}>\n`,
    'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${to('svg')}')"><script>fetch("${to('svg-script')}")</script><image href="${to('svg-image')}"/><text y="20">drawn</text></svg>`,
    'code.js': `</script><script>fetch("${to('data-script')}")</script>\n// \u202e reversed \u2066\n`,
    '</script><img src=x onerror=fetch(1)>': 'a name',
  }
}

/** Returns the shell line of a participant that submits these files. */
export function hostileWork(port: number): string {
  const encoded = Buffer.from(JSON.stringify(hostile(port))).toString('base64')
  const program = `const fs=require('node:fs');for(const [n,c] of Object.entries(JSON.parse(Buffer.from('${encoded}','base64'))))fs.mkdirSync(require('node:path').dirname(n),{recursive:true}),fs.writeFileSync(n,c)`
  return `node -e "${program}"`
}
