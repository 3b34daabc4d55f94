import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Result } from '../../../src/cli/results.ts'
import { isRoot, makeStage, needsRoot } from '../../support/cli.ts'
import { type Lab, openInternetLab } from '../../support/lab/lab.ts'

needsRoot('the lab is a network namespace')
let lab: Lab
beforeAll(async () => {
  if (isRoot) lab = await openInternetLab()
})
afterAll(async () => {
  if (isRoot) await lab[Symbol.asyncDispose]()
})
const pin = 'private.example:443=10.1.2.3:443'

test('doctor says which presets of the configuration cells cannot reach, and how to allow them', async () => {
  using stage = makeStage('user')
  const npmrc = (...lines: readonly string[]): void => {
    writeFileSync(path.join(stage.home, '.npmrc'), `${lines.join('\n')}\n`)
    stage.own()
  }
  npmrc('registry=https://private.example/')
  const directory = path.join(stage.env['PADDOCK_HOME'] ?? '', 'config')
  const presetsOf = async (config: string, ...args: readonly string[]): Promise<readonly object[]> => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(path.join(directory, 'config.yaml'), `schemaVersion: 1\n${config}`)
    stage.own()
    const { checks } = JSON.parse((await lab.paddock(stage, ['doctor', '--json', ...args])).stdout) as Result<'doctor'>
    return checks.filter(({ name }) => /^(?:preset|configuration)/.test(name))
  }
  const npm = 'run: { egress: { presets: [npm] } }\n'
  expect(await presetsOf(npm)).toEqual([
    {
      name: 'preset npm',
      ok: false,
      detail: 'private.example means 10.1.2.3, an address of your own network, so cells cannot reach it',
      hint: `To allow it, add to run.egress.allow: ${pin}`,
    },
  ])
  expect(await presetsOf(`run: { egress: { presets: [npm], allow: ["${pin}"] } }\n`)).toEqual([
    { name: 'preset npm', ok: true, detail: 'private.example resolves' },
  ])
  expect(await presetsOf('run: { egress: { presets: [npm], policy: off } }\n')).toEqual([])
  expect(await presetsOf('run: { colour: red }\n')).toMatchObject([{ name: 'configuration', ok: false }])
  npmrc('@a:registry=https://public.example/', 'registry=https://nothing.example:4443/')
  expect(await presetsOf(npm)).toEqual([{ name: 'preset npm', ok: false, detail: 'these names do not resolve here: nothing.example' }])
  npmrc('@a:registry=https://public.example/', 'registry=https://public.example:4443/')
  expect(await presetsOf(npm)).toEqual([{ name: 'preset npm', ok: true, detail: 'public.example resolves' }])
  expect(await presetsOf(npm, '--connect')).toEqual([
    { name: 'preset npm', ok: false, detail: 'no connection from this machine: public.example:4443' },
  ])
})
