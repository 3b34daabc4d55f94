import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { reportAssets } from '../../contest/report/page/assets.ts'
import type { App } from '../server-deps.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The page for people; `send` is null without one. */
    readonly page: { send: ((reply: FastifyReply) => FastifyReply) | null }
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The paths of views, which the page interprets. */
const views = [
  ...['/', '/login', '/fleet', '/inbox', '/inbox/:id', '/jobs', '/jobs/:job', '/jobs/:job/review', '/agents/:agent', '/agents/:agent/:tab'],
  ...[
    '/sessions/:session',
    '/contests',
    '/contests/:contest',
    '/suites',
    '/suites/contest',
    '/egress',
    '/credentials',
    '/audit',
    '/guarantees',
    '/usage',
    '/settings',
  ],
  ...['/more', '/new-agent'],
]
const document = 'index.html'
/** Returns whether a file's name contains a hash of its content. */
const isHashed = (name: string): boolean => /-[\w-]{8}\.(?:js|css)$/.test(name)

/**
 * Returns the policy. Everything comes from this origin; the icons are masks within the style sheet. A contest's report is shown in a frame
 * that inherits this policy: its only script and style sheet are allowed by their hashes. `styles`: the nonce source for the style elements
 * that scripts create, as xterm.js does.
 */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${reportAssets().scriptSource}`,
    `style-src 'self' ${reportAssets().styleSource}${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Adds the page: the files of one directory, read once, so that a request cannot choose a path. Without the directory there is no page. */
export function pageRoutes(app: App, directory: string): void {
  const files = namesIn(directory).flatMap((name) => {
    const type = types[path.extname(name)]
    return type === undefined ? [] : [{ name, type, bytes: readFileSync(path.join(directory, name)) }]
  })
  const options = { config: { role: 'public' as const }, schema: { hide: true } }
  for (const { name, type, bytes } of files) {
    if (name === document) continue
    app.get(`/${name}`, options, (_request, reply) =>
      reply
        .header('content-security-policy', policy(''))
        .header('content-type', type)
        .header('cache-control', isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache')
        .send(bytes),
    )
  }
  const html = files.find(({ name }) => name === document)?.bytes.toString('utf8')
  if (html === undefined) return
  const send = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    return (
      reply
        .header('content-security-policy', policy(` 'nonce-${nonce}'`))
        .header('content-type', types['.html'])
        // Each answer has a different nonce.
        .header('cache-control', 'no-store')
        .send(html.replace('<script ', `<script nonce="${nonce}" `))
    )
  }
  for (const route of views) app.get(route, options, (_request, reply) => send(reply))
  app.page.send = send
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
