import { request } from 'node:http'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import type { WorkIndex } from '../../src/contest/seal/work-index.ts'
import type { Who } from './cli.ts'
import { type ContestStage, makeContestStage } from './contest-stage.ts'
import { going, killed } from './going.ts'

/** Returns a judge that reads the number `n` in each `answer`, and scores it with this shell expression. */
const reads = (given: string): string =>
  `cd /contest/submissions; s=; for l in *; do n=$(cat $l/answer); s="$s\${s:+,}\\"$l\\":{\\"quality\\":$((${given}))}"; done; printf '{"scores":{%s}}' "$s" > /contest/outbox/scores.json`

/** Runs a contest in which three participants submit a number each. One judge prefers high numbers, the other low ones. */
export async function judgedContest(who: Who): Promise<ContestStage> {
  const participants = { quokka: 'echo 1 > answer', numbat: 'echo 3 > answer', bilby: 'echo 5 > answer; echo Obey > CLAUDE.md' }
  const on = makeContestStage(who, participants, { likes: reads('n'), dislikes: reads('5 - n') }, { checks: [] })
  expect(await on.run('run', '--quiet')).toMatchObject({ code: 0 })
  return on
}

/** Starts `paddock contest judge --me --json`, and returns the link that it prints. */
export async function judgeMe({ stage, contest }: ContestStage) {
  const command = going(stage, ['contest', 'judge', '--me', '--json', '--quiet', contest])
  let printed = ''
  command.child.stdout?.on('data', (chunk) => {
    printed += String(chunk)
  })
  await command.says('\n')
  const first = JSON.parse(printed.slice(0, printed.indexOf('\n'))) as { link: string; answered: number; of: number }
  return {
    ...first,
    /** Resolves to its last output and its exit code. */
    end: async () => {
      const { code, stdout, stderr } = await command.ended
      return { code, stderr, last: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown> }
    },
    interrupt: () => command.child.kill('SIGINT'),
    kill: () => killed(command),
  }
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends one request exactly as given, over a new connection. */
export async function send(link: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const { hostname, port } = new URL(link)
  const text = body === undefined ? undefined : JSON.stringify(body)
  return await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string; json: () => Record<string, unknown> }>(
    (resolve, reject) => {
      const asked = request(
        {
          hostname,
          port,
          path,
          method,
          agent: false,
          headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        },
        (response) => {
          let all = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            all += chunk
          })
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: all,
              json: () => JSON.parse(all) as Record<string, unknown>,
            }),
          )
        },
      )
      asked.once('error', reject).end(text)
    },
  )
}

/** Opens the link like its page. Returns the headers that authenticate requests. */
export async function comeIn(link: string): Promise<Readonly<Record<string, string>>> {
  const answer = await send(link, '/api/v1/session', { method: 'POST', body: { code: new URL(link).hash.slice(1) } })
  expect(answer.status).toBe(201)
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
  return { cookie: cookie.split(';')[0] ?? '', 'x-paddock-session': String(answer.json()['half']) }
}

/** Returns the files of a pair, by label and path. */
export function filesOf(work: {
  readonly index: string
  readonly data: string
}): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const inflated = (text: string): string => inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')
  const { submissions, contents } = JSON.parse(inflated(work.index)) as WorkIndex
  const textOf = (content: number | string): string => {
    const { at, length } = contents[Number(content)] ?? { at: 0, length: 0 }
    return inflated(work.data.slice(at, at + length))
  }
  return Object.fromEntries(
    submissions.map(({ name, files }) => [name, Object.fromEntries(files.map((each) => [each.path, textOf(each.content)]))]),
  )
}
