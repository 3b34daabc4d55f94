import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inspectHostView } from '../../../src/cell/plan/host-view.ts'
import type { Mount } from '../../../src/system/mounts.ts'
import { temporary } from '../../support/temporary.ts'

const mountAt = (at: string): Mount => ({ device: '0:1', root: '/', at, options: [] })

function madeHost(root: string) {
  const at = (file: string): string => path.join(root, file)
  for (const each of ['usr/bin', 'proc', 'run', 'etc/ssl', 'etc/deep/inner', 'home/me/.ssh', 'home/me/.claude', 'home/you', 'opt'])
    mkdirSync(at(each), { recursive: true })
  for (const each of ['etc/hosts', 'etc/passwd', 'home/me/.netrc']) writeFileSync(at(each), '')
  symlinkSync('usr/bin', at('bin'))
  const machine = {
    realHome: at('home/me'),
    ownDirectories: [at('home/me/.local/state/paddock'), at('opt/paddock')],
    agentDirectories: ['.claude', '.codex'],
  }
  mkdirSync(at('opt/paddock'))
  return {
    at,
    machine,
    look: (mounts: readonly Mount[] = [], hidden: readonly string[] = []) =>
      inspectHostView(machine, hidden, { root, mounts: [mountAt('/'), ...mounts] }),
  }
}

it('shows each directory of the host, without what a cell has for itself, and the home apart', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  const view = look()
  expect(view.overlays.map((each) => each.path).toSorted()).toEqual(['etc', 'home/you', 'opt', 'usr'].map(at))
  expect(view.links).toEqual([{ path: at('bin'), to: 'usr/bin' }])
  expect(view.home).toEqual({
    path: at('home/me'),
    hidden: ['.ssh', '.netrc'].map((each) => at(`home/me/${each}`)),
    empty: [at('home/me/.claude')],
  })
  expect(view.overlays.find((each) => each.path === at('opt'))?.hidden).toEqual([at('opt/paddock')])
})

it('replaces a directory with a mount below it by its entries', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  const view = look([mountAt(at('etc/hosts')), mountAt(at('etc/deep/inner'))])
  expect(view.overlays.map((each) => each.path).toSorted()).toEqual(['etc/deep/inner', 'etc/ssl', 'home/you', 'opt', 'usr'].map(at))
  expect(view.files.toSorted()).toEqual([at('etc/hosts'), at('etc/passwd')])
})

it('refuses a home with a mount below it by its name', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  expect(() => look([mountAt(at('home/me/data'))])).toThrow(
    `${at('home/me/data')} is mounted below your home, so no cell of L1 can be built here.`,
  )
})

it('has no directory that the cell must not see, by its name or by a link, in a split directory or in the home', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  for (const each of ['home/me/contests/one', 'srv/contest/rounds', 'srv/other']) mkdirSync(at(each), { recursive: true })
  symlinkSync('contests/one', at('home/me/linked'))
  const hidden = [at('home/me/linked'), at('srv/contest')]
  const view = look([], hidden)
  expect(view.home.hidden).toEqual(expect.arrayContaining([at('home/me/linked'), at('home/me/contests/one')]))
  expect(view.overlays).toContainEqual({ path: at('srv'), hidden: [at('srv/contest')] })
  const split = look([mountAt(at('srv/contest/rounds'))], hidden).overlays.map((each) => each.path)
  expect(split.filter((each) => each.startsWith(at('srv')))).toEqual([at('srv/other')])
})

it.each(['home/me', 'home'])('refuses to hide %s, which has the home', async (directory) => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  expect(() => look([], [at(directory)])).toThrow(/your home, so a cell of L1 would show it/)
})
