import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isRoot, makeStage, paddock } from '../../support/cli.ts'

/** Systems in containers, and live systems, have overlayfs as their root. It has no idmapped mounts. */
it('root shows a cell files on overlayfs to read, and says why a cell cannot write to a project there', async ({ skip }) => {
  skip(!isRoot, 'only root can make mounts')
  using stage = makeStage('root')
  const [lower, merged] = ['lower', 'merged'].map((each) => path.join(stage.root, each)) as [string, string]
  for (const each of ['lower/tool', 'lower/p', 'layers/upper', 'layers/work', 'merged'])
    mkdirSync(path.join(stage.root, each), { recursive: true })
  for (const each of ['public', 'private']) writeFileSync(path.join(lower, 'tool', each), each)
  chmodSync(path.join(lower, 'tool/private'), 0o600)
  const layers = `lowerdir=${lower},upperdir=${stage.root}/layers/upper,workdir=${stage.root}/layers/work`
  const shell = `unshare --mount sh -c 'mount -t overlay -o ${layers} overlay ${merged} && cd "$PWD" && exec "$@"' sh`
  const read = `cat ${merged}/tool/public; cat ${merged}/tool/private; touch ${merged}/tool/public`
  const ran = await paddock(stage, ['run', '--ro', path.join(merged, 'tool'), '--', 'sh', '-c', read], { shell })
  expect(ran.stdout).toBe('public')
  expect(ran.stderr).toMatch(/private: Permission denied/)
  expect(ran.stderr).toMatch(/public.*: (Permission denied|Read-only file system)/)
  const refused = await paddock(stage, ['run', '--', 'true'], { shell: shell.replace('cd "$PWD"', `cd ${merged}/p`) })
  expect(refused.code).toBe(125)
  expect(refused.stderr).toContain(`${merged}/p: no idmapped mount`)
})
