import { expect, it } from 'vitest'
import { type AdviceFacts, adviseOn } from '../../src/run/posture-advice.ts'

const nothing: AdviceFacts = { untrusted: [], foreignCode: [], secrets: [], pushes: [], missingTools: [] }
const tool = ['/home/me/.sdk/bin']
const [search, clone, secret, origin] = [['web search of claude'], ['a clone of https://git.example/o/r.git (today)'], ['.env'], ['origin']]

it.each<[string, Partial<AdviceFacts>, string, RegExp]>([
  ['your own project', {}, 'L2', /needs more of your files/],
  ['your own project with a toolchain in your home', { missingTools: tool }, 'L1', /do not have .*: \/home\/me\/\.sdk\/bin\./],
  ['the same with web search', { missingTools: tool, untrusted: search }, 'L2', /reads text of others: web search of claude\./],
  ['the same with an issue', { missingTools: tool, untrusted: ['an issue'] }, 'L2', /text of others: an issue/],
  ['the same with secrets', { missingTools: tool, secrets: secret }, 'L2', /Secrets are in sight: \.env\./],
  [
    'the same with commits by others',
    { missingTools: tool, foreignCode: ['3 recent commits by b@b.example'] },
    'L2',
    /3 recent commits by/,
  ],
  ['the same with a login in a remote', { missingTools: tool, pushes: origin }, 'L2', /can push to: origin\./],
  ['a young clone', { foreignCode: clone }, 'L2', /Code of others would run: a clone of/],
  ['a young clone with web search', { foreignCode: clone, untrusted: search }, 'L2', /web search/],
  ['a young clone with secrets', { foreignCode: clone, secrets: secret }, 'L3', /attacks the kernel/],
  ['a young clone with a login in a remote', { foreignCode: clone, pushes: origin }, 'L3', /something to take/],
  ['everything at once', { foreignCode: clone, pushes: origin, secrets: secret, untrusted: search, missingTools: tool }, 'L3', /origin/],
])('%s is for %j', (_, facts, posture, why) => {
  const advice = adviseOn({ ...nothing, ...facts })
  expect(advice.posture).toBe(posture)
  expect(advice.why.join('\n')).toMatch(why)
})

it('names the command that removes the cheapest part', () => {
  expect(adviseOn({ ...nothing, untrusted: search, secrets: secret }).commands).toEqual(['paddock run --mask .env …'])
  expect(adviseOn({ ...nothing, untrusted: search, missingTools: tool }).commands).toEqual(['paddock run --ro /home/me/.sdk/bin …'])
  expect(adviseOn({ ...nothing, missingTools: tool }).commands).toEqual(['paddock run --posture L1 …'])
})

it('names the option that removes the only text of others', () => {
  const removable = { agent: 'claude', webTool: 'web search of claude' }
  const option = 'paddock run --no-web-tools claude …'
  expect(adviseOn({ ...nothing, untrusted: [removable.webTool] }, removable).commands).toEqual([option])
  expect(adviseOn({ ...nothing, untrusted: [removable.webTool, 'an issue'] }, removable).commands).toEqual([])
  expect(adviseOn({ ...nothing, untrusted: [removable.webTool] }).commands).toEqual([])
  expect(adviseOn(nothing, removable).commands).toEqual([])
})
