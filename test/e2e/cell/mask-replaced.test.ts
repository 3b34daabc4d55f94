import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { becoming, everyone, makeStage, startPaddock } from '../../support/cli.ts'

test.each(everyone)('a cell ends when a program of the host replaces a hidden file, as %s', async (who) => {
  using stage = makeStage(who)
  stage.put('.env', 'KEY=old\n')
  stage.own()
  const script = 'echo ready; while :; do grep -h KEY .env && exit 0; sleep 0.2; done'
  const child = startPaddock(stage, ['run', '--mask', '.env', '--', 'sh', '-c', script])
  let said = ''
  for (const each of [child.stdout, child.stderr]) each?.on('data', (chunk) => (said += String(chunk)))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await expect.poll(() => said).toContain('ready')
  const [program = 'sed', ...words] = [...becoming(who), 'sed', '-i', 's/old/new/', '.env']
  execFileSync(program, words, { cwd: stage.project })
  expect(await ended).toBe(125)
  expect(said).toContain('lost a protected path, ended')
})
