import { broken, type Guarantee, held } from '../guarantee.ts'
import type { InsideResult } from '../probe/inside.ts'
import { sendAll } from '../probe/send-all.ts'
import { rule, webHost } from '../probe/web-host.ts'

export const noAnswerIsNo: Guarantee = {
  id: 'no-answer-is-no',
  chapter: 'requests',
  claim:
    'Nothing that needs your approval happens without it. Until you answer, no name is looked up and no connection is made, and a timeout counts as a no.',
  mechanism:
    'The gateway holds the connection or the request until it is answered. However an answer fails to arrive, that counts as a no.',
  kind: 'policy',
  why: 'The process that would send the request asks before it resolves the name and before it sends the host a byte.',
  fails: ['You answer yes to a question that you did not read.'],
  under: ['allowlist'],
  probe: async (bench) => {
    using whole = await webHost(bench)
    using single = await webHost(bench)
    using yes = await webHost(bench)
    bench.questions.answer(yes.name, () => ({ allowed: true, scope: 'once' }))
    const get = (host: string, path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const egress = bench.policy([
      { host: whole.name, ask: true },
      { host: yes.name, ask: true },
      { host: single.name, inspect: { rules: [rule('ask * /asked')], otherwise: 'deny' } },
    ])
    const ask = (host: string, path: string): Promise<InsideResult<Record<string, string>>> =>
      bench.inside(sendAll, { host, texts: { it: get(host, path) } }, { egress, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
    const told = await Promise.all([ask(whole.name, '/'), ask(single.name, '/asked'), ask(yes.name, '/')])
    const passed = [whole, single].filter((each) => each.arrived.length > 0 || each.connections() > 0)
    if (passed.length > 0) return broken('a connection or request arrived although nobody had answered the question')
    if (bench.names.resolved.some((each) => each === whole.name || each === single.name))
      return broken('a name was looked up although nobody had answered the question')
    const asked = [whole, single, yes].map((each) => bench.questions.about(each.name).length)
    if (asked.includes(0) || yes.arrived.length === 0)
      return broken(
        `no question was asked, or a yes did not let the request through (${JSON.stringify(told.map((each) => each.result['it']))}), so the probe is inconclusive`,
      )
    return held(
      `a connection and a request without an answer were refused (${told[0]?.result['it']}; ${told[1]?.result['it']}), with no lookup or connection; one that was answered with yes arrived`,
    )
  },
}
