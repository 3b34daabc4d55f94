import { mkdirSync, readdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { makeProjectStage, type ProjectStage } from '../../support/project-stage.ts'

const alice = 'cat > /dev/null; echo 2 > code; echo key > authorized_keys'

/** Puts a link in the place of a directory, as an agent that works above it could. `back` undoes it. */
function swap(directory: string): { readonly victim: string; back(): void } {
  const victim = `${directory}-real`
  renameSync(directory, victim)
  symlinkSync(victim, directory)
  return {
    victim,
    back() {
      unlinkSync(directory)
      renameSync(victim, directory)
    },
  }
}

/** Uses of the stored path of a project, and whether work must be applied before. */
const uses: [name: string, args: (at: ProjectStage) => readonly string[], isApplied: boolean][] = [
  ['apply', (at) => ['contest', 'apply', at.contest, 'alice'], false],
  ['apply --dry-run', (at) => ['contest', 'apply', at.contest, 'alice', '--dry-run'], false],
  ['apply --commit', (at) => ['contest', 'apply', at.contest, 'alice', '--commit'], false],
  ['apply --branch', (at) => ['contest', 'apply', at.contest, 'alice', '--branch', 'try'], false],
  ['apply --patch', (at) => ['contest', 'apply', at.contest, 'alice', '--patch', path.join(at.stage.root, 'p.patch')], false],
  ['apply --undo', (at) => ['contest', 'apply', at.contest, '--undo'], true],
  ['apply --project', (at) => ['contest', 'apply', at.contest, 'alice', '--project', at.stage.project], false],
  ['new --from-project', (at) => ['contest', 'new', path.join(at.stage.root, 'other'), '--from-project', at.stage.project], false],
]

describe.each(everyone)('a project that became a link, as %s', (who) => {
  it.each(uses)('is refused by contest %s, and so is one behind a link', async (_name, args, isApplied) => {
    using at = await makeProjectStage(who, { alice })
    expect((await at.run('run')).code).toBe(0)
    if (isApplied) expect((await at.run('apply', 'alice')).code).toBe(0)
    for (const directory of [at.stage.project, at.stage.root]) {
      const link = swap(directory)
      const before = readdirSync(link.victim)
      const ran = await paddock(at.stage, args(at))
      expect([ran.code, ran.stderr], directory).toEqual([2, expect.stringContaining('symbolic link') as string])
      expect(readdirSync(link.victim)).toEqual(before)
      link.back()
    }
  })

  it('is refused by review and apply of a copy that a refused apply left', async () => {
    using at = await makeProjectStage(who, { alice })
    await at.run('run')
    const looked = await at.run('apply', 'alice', '--dry-run', '--json')
    const { copy } = JSON.parse(looked.stdout) as { copy: string }
    swap(at.stage.project)
    for (const args of [
      ['review', copy],
      ['apply', copy],
      ['apply', copy, '-m', 'x', '--commit'],
    ]) {
      const ran = await paddock({ ...at.stage, project: at.stage.root }, args)
      expect([ran.code, ran.stderr], args.join(' ')).toEqual([2, expect.stringContaining('symbolic link') as string])
    }
  })

  it('another directory in its place needs --project', async () => {
    using at = await makeProjectStage(who, { alice })
    await at.run('run')
    renameSync(at.stage.project, `${at.stage.project}-real`)
    mkdirSync(at.stage.project)
    at.stage.own()
    const ran = await paddock({ ...at.stage, project: at.stage.root }, ['contest', 'apply', at.contest, 'alice'])
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('is not the directory that the contest was made from') as string])
    expect(readdirSync(at.stage.project)).toEqual([])
  })
})
