import { broken, type Guarantee, held } from '../guarantee.ts'
import { rule, webHost } from '../probe/web-host.ts'

export const answerFitsOneQuestion: Guarantee = {
  id: 'answer-fits-one-question',
  chapter: 'requests',
  claim: 'A yes applies only to what was asked: that host and port, that method and path, and, if given once, that one time.',
  mechanism: 'An answer is stored under the whole question, in the exact form that was shown and is sent.',
  kind: 'policy',
  why: 'Another host, method or path is another question, and a yes that was given once is not stored.',
  fails: ['The query and the body are not part of a question.', 'Identical questions that wait at the same time share one answer.'],
  under: ['allowlist'],
  probe: async (bench) => {
    using web = await webHost(bench)
    bench.questions.answer(web.name, ({ request }) => {
      if (request?.path === '/once') return { allowed: bench.questions.about(web.name).filter(at('/once')).length === 1, scope: 'once' }
      if (request?.path === '/cell') return { allowed: request.method === 'GET', scope: 'cell' }
      return { allowed: false, scope: 'once' }
    })
    const text = (method: string, path: string): string =>
      `${method} ${path} HTTP/1.1\r\nHost: ${web.name}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
    const rounds = [
      ['GET', '/once'],
      ['GET', '/once'],
      ['GET', '/cell'],
      ['GET', '/cell'],
      ['POST', '/cell'],
      ['GET', '/cell/more'],
      ['GET', '/other'],
    ] as const
    const script = rounds.map(([method, path], index) => ({ name: `${index} ${method} ${path}`, text: text(method, path) }))
    const { result } = await bench.inside(
      async ({ tls }, given) => {
        const told: string[] = []
        // Sent one after another, because identical simultaneous questions would share an answer.
        for (const each of given.script)
          told.push(
            await new Promise<string>((resolve) => {
              let got = ''
              const socket = tls.connect({ host: given.host, port: 443, servername: given.host }, () => socket.write(each.text))
              socket.setTimeout(4000, () => socket.destroy())
              socket.on('data', (chunk) => {
                got += String(chunk)
              })
              socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
              socket.once('close', () => resolve(/ (\d+) /.exec(got)?.[1] ?? 'closed'))
            }),
          )
        return told
      },
      { host: web.name, script },
      { egress: bench.policy([{ host: web.name, inspect: { rules: [rule('ask * /**')], otherwise: 'deny' } }]) },
    )
    const arrived = web.arrived.map((each) => `${each.method} ${each.target}`).join(', ')
    const asked = bench.questions.about(web.name).map((each) => `${each.request?.method} ${each.request?.path}`)
    const right = 'GET /once, GET /cell, GET /cell'
    if (!arrived.startsWith('GET /once'))
      return broken(`the requests that were answered with yes did not arrive (${result.join(' ')}), so the probe is inconclusive`)
    if (arrived !== right) return broken(`an answer let through requests other than the one it was given for: ${arrived}`)
    return held(
      `${rounds.length} requests, ${asked.length} questions: a yes to one let through ${arrived} and nothing else (${result.join(' ')})`,
    )
  },
}

const at =
  (path: string) =>
  (each: { readonly request: { readonly path: string } | null }): boolean =>
    each.request?.path === path
