import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
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
    hidden: expect.arrayContaining(['.ssh', '.netrc', '.aws'].map((each) => at(`home/me/${each}`))),
    empty: ['.claude', '.codex'].map((each) => at(`home/me/${each}`)),
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

it('has nothing that links in directories of credentials and agents lead to, but programs and what the cell needs', async () => {
  await using root = await temporary()
  const { at, machine } = madeHost(root.path)
  for (const each of ['keys/old', 'skills', 'tools', 'usr/lib/plugin']) mkdirSync(at(`home/me/dotfiles/${each}`), { recursive: true })
  for (const each of ['id', 'auth', 'program', 'keys/old/deep', 'last']) writeFileSync(at(`home/me/dotfiles/${each}`), '')
  chmodSync(at('home/me/dotfiles/program'), 0o755)
  mkdirSync(at('home/me/.ssh/more'))
  symlinkSync('../../dotfiles/id', at('home/me/.ssh/more/id'))
  symlinkSync('../dotfiles/keys', at('home/me/.ssh/keys'))
  symlinkSync('../last', at('home/me/dotfiles/keys/last'))
  symlinkSync('../dotfiles/auth', at('home/me/.claude/auth.json'))
  symlinkSync('../dotfiles/program', at('home/me/.claude/program'))
  symlinkSync('../dotfiles/skills', at('home/me/.claude/skills'))
  symlinkSync('../dotfiles/tools', at('home/me/.claude/tools'))
  symlinkSync('../..', at('home/me/.claude/around'))
  symlinkSync('/etc/ssl', at('home/me/.claude/certificates'))
  symlinkSync('/var', at('home/me/.claude/top'))
  mkdirSync(at('home/me/snap/app'), { recursive: true })
  mkdirSync(at('home/me/dotfiles/documents'))
  symlinkSync('../../dotfiles/documents', at('home/me/snap/app/documents'))
  const used = ['skills', 'tools/bin'].map((each) => at(`home/me/dotfiles/${each}`))
  const view = inspectHostView(machine, [], { root: root.path, mounts: [mountAt('/')], used })
  const { hidden } = view.home
  const found = hidden.filter((each) => each.startsWith(at('home/me/dotfiles')))
  expect(found.toSorted()).toEqual(['auth', 'id', 'keys', 'last'].map((each) => at(`home/me/dotfiles/${each}`)))
})

it('has no credentials at other paths of the same file system', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  for (const each of ['srv/again/.ssh', 'opt/key']) mkdirSync(at(each), { recursive: true })
  const again = { device: '0:1', root: at('home/me'), at: at('srv/again'), options: [] }
  const inside = { device: '0:1', root: at('home/me/.ssh/inner'), at: at('opt/key'), options: [] }
  const view = look([again, inside, { ...again, device: '0:2', at: at('usr/bin') }])
  expect(view.overlays).toContainEqual({
    path: at('srv/again'),
    hidden: expect.arrayContaining([at('srv/again/.ssh'), at('srv/again/.netrc'), at('srv/again/.claude')]),
  })
  expect(view.overlays.map((each) => each.path)).not.toContain(at('opt/key'))
  expect(view.overlays).toContainEqual({ path: at('usr/bin'), hidden: [] })
})

it('has no credentials that variables, copies and the home of the user database name', async () => {
  await using root = await temporary()
  const { at, machine } = madeHost(root.path)
  for (const each of ['srv/config/gh', 'home/me/.aws.bak', 'home/me/.aws-sam', 'home/you/.ssh', 'home/you/.claude'])
    mkdirSync(at(each), { recursive: true })
  for (const each of ['srv/kube', 'home/me/.claude.json.backup', 'home/me/.netrc~', 'home/me/.gitconfig-work']) writeFileSync(at(each), '')
  // A path that cannot be looked at.
  symlinkSync('loop', at('srv/loop'))
  const env = {
    XDG_CONFIG_HOME: at('srv/config'),
    KUBECONFIG: `${at('srv/none')}:${at('srv/kube')}:relative`,
    TF_CLI_CONFIG_FILE: at('srv/loop/x'),
  }
  const view = inspectHostView({ ...machine, env, homes: [at('home/you')] }, [], { root: root.path, mounts: [mountAt('/')] })
  expect(view.overlays).toContainEqual({ path: at('srv'), hidden: [at('srv/config/gh'), at('srv/kube')] })
  expect(view.overlays).toContainEqual({ path: at('home/you'), hidden: [at('home/you/.ssh'), at('home/you/.claude')] })
  expect(view.home.hidden).toEqual(
    expect.arrayContaining(['.aws.bak', '.claude.json.backup', '.netrc~', '.gitconfig-work'].map((each) => at(`home/me/${each}`))),
  )
  expect(view.home.hidden).not.toContain(at('home/me/.aws-sam'))
})

it('hides a place in the home through links in its path, and none below a file', async () => {
  await using root = await temporary()
  const { at, look } = madeHost(root.path)
  mkdirSync(at('home/me/dotfiles'))
  symlinkSync('dotfiles', at('home/me/.config'))
  writeFileSync(at('home/me/.m2'), '')
  const { hidden } = look().home
  expect(hidden).toContain(at('home/me/dotfiles/gh'))
  expect(hidden.filter((each) => each.startsWith(at('home/me/.config')) || each.startsWith(at('home/me/.m2')))).toEqual([])
})
