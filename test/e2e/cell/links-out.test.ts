import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

async function did(stage: Stage, script: string, options: readonly string[] = []) {
  const ran = await paddock(stage, ['run', '--egress', 'off', '--json', ...options, '--', 'sh', '-c', script])
  expect(ran.code, ran.stderr).toBe(0)
  const { changes } = JSON.parse(ran.stdout) as CellReport
  return { linksOut: changes?.linksOut, line: ran.stderr.split('\n').find((each) => each.includes('new links lead out')) }
}

test.each(everyone)('the end names new links that lead out of the project, as %s', async (who) => {
  using stage = makeStage(who)
  mkdirSync(path.join(stage.home, '.ssh'))
  mkdirSync(path.join(stage.root, 'other'))
  symlinkSync(path.join(stage.home, '.ssh'), path.join(stage.project, 'old'))
  stage.put('a/b/file', 'x\n')
  symlinkSync('../../a', path.join(stage.project, 'a/b/up'))
  stage.own()
  const home = stage.home
  const { linksOut, line } = await did(
    stage,
    `ln -s ${home}/.ssh part; ln -s ../../other/none deep; mkdir d; mv deep d; ln -s ../old/key d/through; ln -s a/b/file inside; ln -s "$PWD/a" full
     mkdir node_modules; ln -s ${home}/.ssh node_modules/x; ln -s /usr/bin/env env; ln -s /dev/null null; mkdir -p f/g; mv a/b f/g/b; mv f/g/b b`,
  )
  const found = [
    { path: 'b/up', target: path.join(stage.root, 'a') },
    { path: 'd/deep', target: path.join(stage.root, 'other/none') },
    { path: 'd/through', target: `${home}/.ssh/key` },
    { path: 'node_modules/x', target: `${home}/.ssh` },
    { path: 'part', target: `${home}/.ssh` },
  ]
  const sorted = [...(linksOut ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1))
  expect(sorted).toEqual(found)
  expect(line).toMatch(/^paddock: new links lead out of the project, and programs on your machine follow them: /)
  expect(line).toMatch(/(part, node_modules\/x|node_modules\/x, part) → /)
  const { linksOut: again, line: none } = await did(stage, 'true')
  expect([again, none]).toEqual([undefined, undefined])
})

test.each(everyone)('a link in a copy is marked by its review, as %s', async (who) => {
  using stage = makeStage(who)
  stage.own()
  const ran = await inCell(stage, `ln -s ${stage.home} part`, { args: ['--copy'] })
  expect(ran.stderr).not.toContain('new links lead out')
  expect((await paddock(stage, ['review'])).stdout).toContain('it is a link that leads out of the project')
})
