import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import { freshDirectory } from './fresh-directory.ts'
import { internet } from './inspect-lab.ts'

/** A request that a forge received. */
export interface ForgeTold {
  readonly host: string
  readonly method: string
  readonly url: string
  /** The token of the request, in any scheme; null: none. */
  readonly token: string | null
}

/**
 * github.com, api.github.com and any other host that a test pins to it: git over smart HTTP by git-http-backend(1), and a small part of
 * the REST API. Repositories of `me` require the token, `pub/open` requires it only for pushes, `me/moved` redirects. Hosts are
 * distinguished by the Host field.
 */
export interface ForgeServer extends AsyncDisposable {
  readonly port: number
  readonly told: readonly ForgeTold[]
  /** Returns the subjects of the commits of main. */
  log(repository: string): string
}

export async function openForgeServer(token: string): Promise<ForgeServer> {
  const root = freshDirectory(path.join(tmpdir(), 'paddock-forge-'))
  const seed = path.join(root, 'seed')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=s', '-c', 'user.email=s@s', ...words]).toString()
  git('init', '-q', '-b', 'main', seed)
  git('-C', seed, 'commit', '-q', '--allow-empty', '-m', 'first')
  for (const each of ['me/private', 'me/other', 'pub/open']) {
    mkdirSync(path.join(root, path.dirname(each)), { recursive: true })
    git('clone', '-q', '--bare', seed, path.join(root, `${each}.git`))
  }
  const told: ForgeTold[] = []
  const server = createServer(
    { ...internet.issue('github.com'), SNICallback: (name, done) => done(null, createSecureContext(internet.issue(name))) },
    (request, response) => {
      const { method = '', url = '', headers } = request
      const sent = tokenOf(headers.authorization, headers['private-token'])
      told.push({ host: headers.host ?? '', method, url, token: sent })
      const known = sent === token
      if (headers.host?.startsWith('api.')) return api(request, response, sent, known)
      const repository = /^\/(\w+\/\w+)(?:\.git)?(?=\/)/.exec(url)?.[1] ?? ''
      const pushes = url.includes('git-receive-pack')
      if (!known && (repository !== 'pub/open' || pushes)) {
        request.resume()
        response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end('who are you?\n')
      } else if (repository === 'me/moved') {
        request.resume()
        response.writeHead(302, { location: `https://elsewhere.example${url.replace('moved', 'private')}` }).end()
      } else backend(root, request, response)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    told,
    log: (repository) => git('-C', path.join(root, `${repository}.git`), 'log', '--format=%s', 'main'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function tokenOf(authorization: string | undefined, own: string | string[] | undefined): string | null {
  const [scheme = '', value = ''] = authorization?.split(' ') ?? []
  if (scheme === '') return own === undefined ? null : String(own)
  return scheme.toLowerCase() === 'basic'
    ? Buffer.from(value, 'base64')
        .toString()
        .replace(/^[^:]*:/, '')
    : value
}

const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
const ended = { status: 'completed', conclusion: 'success', html_url: 'https://github.com/me/private', ...times }
const run = { id: 7, workflow_id: 3, name: 'tests', head_branch: 'main', head_sha: '1a2b', event: 'push', ...ended }
const workflow = { id: 3, name: 'CI of it', state: 'active', path: '.github/workflows/ci.yml' }

/** Answers of the API about `me/private`, by path below it. All others echo the request. */
const answers: Readonly<Record<string, object>> = {
  '/actions/runs': { total_count: 1, workflow_runs: [run] },
  '/actions/runs/7': { ...run, jobs_url: 'https://api.github.com/repos/me/private/actions/runs/7/jobs' },
  '/actions/runs/7/jobs': { total_count: 1, jobs: [{ id: 9, name: 'build it', steps: [], ...ended }] },
  '/actions/runs/7/artifacts': { total_count: 0, artifacts: [] },
  '/check-runs/9/annotations': [],
  '/actions/workflows': { total_count: 1, workflows: [workflow] },
  '/actions/workflows/3': workflow,
  '/actions/workflows/ci.yml': workflow,
  '/releases/tags/v1': { id: 4, tag_name: 'v1', name: 'the first', assets: [], author: { login: 'me' }, ...times },
}

/**
 * Answers a request of the REST API. As at GitHub, private repositories do not exist for strangers, a wrong token is worse than none, and
 * links to further pages have the number of the repository.
 */
function api(request: IncomingMessage, response: ServerResponse, sent: string | null, known: boolean): void {
  request.resume()
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const open = path.startsWith('/repos/pub/')
  const status = sent !== null && !known ? 401 : known || open ? 200 : 404
  const body =
    status === 200
      ? (answers[path.replace('/repos/me/private', '')] ?? {
          did: `${request.method} ${path}`,
          echo: request.headers.authorization ?? null,
          full_name: 'me/private',
        })
      : { message: status === 401 ? 'Bad credentials' : 'Not Found' }
  const isFirst = path.endsWith('/pulls') && !/(?:^|&)page=/.test(query)
  const link = isFirst ? { link: '<https://api.github.com/repositories/12/pulls?page=2>; rel="next"' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...link }).end(JSON.stringify(body))
}

function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [file = '', query = ''] = (request.url ?? '').split('?')
  const named = file.replace(/^(\/\w+\/\w+)\//, '$1.git/')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/bin:/bin',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: named,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'me',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => undefined)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const fields = all
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    response.end(all.subarray(end + 4))
  })
}
