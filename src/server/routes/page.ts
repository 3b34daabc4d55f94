import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { App } from '../deps.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** Everything is from this origin; the drawings of the icons are masks within the style sheet. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const places = [
  'login',
  'fleet',
  'inbox',
  'jobs',
  'contests',
  'egress',
  'credentials',
  'audit',
  'guarantees',
  'usage',
  'settings',
  'more',
  'new-agent',
]
const views: readonly string[] = [
  '/',
  ...places.map((each) => `/${each}`),
  ...['/inbox/:id', '/agents/:agent', '/agents/:agent/:tab', '/jobs/:job', '/jobs/:job/review', '/sessions/:session', '/contests/:contest'],
]

/** The page: the files of one directory, read once, so that no request names a path. Without the directory: none. */
export function pageRoutes(app: App, directory: string): void {
  const files = new Map(
    namesIn(directory).flatMap((name) => {
      const type = types[path.extname(name)]
      return type === undefined ? [] : [[name, { type, bytes: readFileSync(path.join(directory, name)) }] as const]
    }),
  )
  const serve = (route: string, name: string): void => {
    const file = files.get(name)
    if (file === undefined) return
    app.get(route, { config: { role: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply
        .header('content-security-policy', policy)
        .header('content-type', file.type)
        // The names of the files do not change with what is in them.
        .header('cache-control', 'no-cache')
        .send(file.bytes),
    )
  }
  for (const name of files.keys()) if (name !== 'index.html') serve(`/${name}`, name)
  // Each view has an address of its own; the page reads it.
  for (const route of views) serve(route, 'index.html')
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
