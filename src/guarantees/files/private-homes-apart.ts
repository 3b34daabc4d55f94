import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { countOutcomes, unlessAll } from '../probe/outcomes.ts'

export const homesApart: Guarantee = {
  id: 'private-homes-apart',
  chapter: 'files',
  claim:
    'What an agent leaves in its private home (memory, settings, conversations) never appears in a cell of another project or of another agent.',
  mechanism: "Each pair of project and agent has a separate home directory in Paddock's state, and only that one is mounted.",
  kind: 'structural',
  why: "An instruction that was planted in one project's conversation has no file through which it could reach another project.",
  fails: ["Data that the agent's vendor keeps on its own servers under your account."],
  notAt: ['L1'],
  probe: async (bench) => {
    const homes = await bench.directory()
    const at = (project: string, agent: string): string => path.join(homes, project, agent)
    for (const each of [at('one', 'a'), at('one', 'b'), at('two', 'a')]) await mkdir(each, { recursive: true })
    const secret = bench.secret()
    const cell = (home: string) => ({ home: { kind: 'persistent', path: home } }) as const
    const first = await bench.inside(
      ({ fs, env, attempt }, given) => attempt(() => fs.writeFileSync(`${env['HOME']}/memory`, given)),
      secret,
      cell(at('one', 'a')),
    )
    const again = await bench.inside(({ fs, env }) => fs.readFileSync(`${env['HOME']}/memory`, 'utf8'), null, cell(at('one', 'a')))
    if (first.result !== 'ok' || again.result !== secret) return broken('a private home did not keep what was written to it')
    const tried: Record<string, string> = {}
    for (const [project, agent] of [
      ['one', 'b'],
      ['two', 'a'],
    ] as const) {
      const { result } = await bench.inside(
        ({ fs, env, attempt }, given) => [
          attempt(() => fs.readFileSync(`${env['HOME']}/memory`)),
          attempt(() => fs.readFileSync(`${given}/memory`)),
          attempt(() => fs.readFileSync(`${env['HOME']}/../a/memory`)),
          attempt(() => fs.readFileSync(`${env['HOME']}/../../one/a/memory`)),
        ],
        at('one', 'a'),
        cell(at(project, agent)),
      )
      result.forEach((outcome, index) => {
        tried[`project ${project}, agent ${agent}, way ${index + 1}`] = outcome
      })
    }
    const finding = unlessAll(tried, ['ENOENT'])
    return (
      finding ??
      held(
        `what one left in its home, searched for by another agent and in another project: ${countOutcomes(tried)}; its own next cell found it`,
      )
    )
  },
}
