import { broken, type Guarantee, held } from '../guarantee.ts'
import type { InsideResult } from '../probe/inside.ts'
import { sendAll } from '../probe/send-all.ts'
import { rule, webHost } from '../probe/web-host.ts'

export const noAnswerIsNo: Guarantee = {
  id: 'no-answer-is-no',
  chapter: 'requests',
  claim:
    'What is to be asked about does not happen without an answer: no name is looked up and nothing is dialled before, and none in time is a no.',
  mechanism: 'The gateway holds the connection or the request until the answer; every way in which there is none counts as a no.',
  kind: 'policy',
  why: 'The process that would send the request asks before it resolves the name and before the first byte goes to the host.',
  fails: ['You answer yes to something that you did not read.'],
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
        `it was not asked, or a yes did not let it pass (${JSON.stringify(told.map((each) => each.result['it']))}), so nothing was shown`,
      )
    return held(
      `a connection and a request that nobody answered for were refused (${told[0]?.result['it']}; ${told[1]?.result['it']}), nothing looked up or dialled; one that was answered with yes arrived`,
    )
  },
}
