import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, targetOf } from '../../../src/cell/plan/filesystem.ts'
import { plan } from '../../../src/cell/plan/plan.ts'
import { looksSecret } from '../../../src/secrets/looks-secret.ts'
import { machine, spec, tree } from '../machine.ts'

describe('plan', () => {
  it('is the same for the same wishes and facts, and is JSON without conversion', () => {
    const made = plan(spec(), machine(), [tree()])
    expect(plan(spec(), machine(), [tree()])).toEqual(made)
    expect(JSON.parse(JSON.stringify(made))).toEqual(made)
  })

  it('never puts a mount before the one that contains it', () => {
    const paths = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 5 }).map((parts) => `/data/${parts.join('/')}`)
    fc.assert(
      fc.property(fc.array(paths, { maxLength: 12 }), (sources) => {
        const targets = plan(spec({ mounts: sources.map((source) => ({ source, access: 'ro' as const })) }), machine(), [
          tree(),
        ]).filesystem.map(targetOf)
        for (const [index, outer] of targets.entries()) {
          for (const inner of targets.slice(0, index)) expect(outer !== inner && contains(outer, inner)).toBe(false)
        }
      }),
    )
  })

  it('shows nothing of the home but what it lists', () => {
    const visible = plan(spec(), machine(), [tree()]).filesystem.map(targetOf)
    expect(visible.filter((each) => contains('/home', each))).toEqual(['/home/ada', '/home/ada/.nvm', '/home/ada/project'])
  })

  it('takes no interface of the host for data, but an agent that is installed on a file system mounted there', () => {
    const mounting = (source: string, reason: 'user' | 'agent') => () =>
      plan(spec({ mounts: [{ source, access: 'ro', reason }] }), machine(), [tree()])
    for (const source of ['/proc/1/root', '/sys/fs', '/dev/sda', '/dev/shm/../sda', '/run/user/1000', '/run/docker.sock'])
      expect(mounting(source, 'user')).toThrow(/interface of the host/)
    for (const source of ['/proc/1/root', '/sys/fs']) expect(mounting(source, 'agent')).toThrow(/interface of the host/)
    for (const source of ['/dev', '/run', '/dev/shm/..']) expect(mounting(source, 'agent')).toThrow(/cannot be mounted/)
    for (const source of ['/dev/shm/checkout', '/run/media/disk/data']) expect(mounting(source, 'user')).not.toThrow()
    for (const source of ['/dev/shm/checkout/node', '/run/build/checkout/node']) expect(mounting(source, 'agent')).not.toThrow()
  })

  it('has directories of a contest in /opt beside those of the system', () => {
    const system = { paths: [{ path: '/opt', link: null }], inOpt: ['tool', 'x'], toolchains: [] }
    const optIn = (target: string) =>
      plan(spec({ mounts: [{ source: '/data/x', target, access: 'rw', reason: 'contest' }] }), machine({ system }), [tree()])
        .filesystem.filter((each) => contains('/opt', targetOf(each)))
        .map((each) => [each.kind, targetOf(each)])
    expect(optIn('/data/x')).toEqual([['system', '/opt']])
    expect(optIn('/opt/x')).toEqual([
      ['system', '/opt/tool'],
      ['system', '/opt/x'],
      ['bind', '/opt/x'],
    ])
  })

  it('lets a contest have the temporary files, but not the home', () => {
    const mounting = (target: string, reason: 'user' | 'contest') => () =>
      plan(spec({ mounts: [{ source: '/data/x', target, access: 'rw', reason }] }), machine(), [tree()])
    expect(mounting('/tmp', 'contest')().filesystem.flatMap((each) => (targetOf(each) === '/tmp' ? [each.kind] : []))).toEqual([
      'tmpfs',
      'bind',
    ])
    expect(mounting('/tmp', 'user')).toThrow('/tmp belongs to the cell itself')
    expect(mounting('/home/ada', 'contest')).toThrow('/home/ada is the home directory of the cell')
    expect(mounting('/home', 'contest')).toThrow('/home contains the home directory of the cell')
    for (const target of ['/home/ada/work', '/home/user', '/root']) expect(mounting(target, 'contest')).not.toThrow()
  })

  it('passes only allowed variables, and none that looks secret unless it was named', () => {
    const env = { TERM: 'x', LANG: 'x', LC_ALL: 'x', TZ: 'x', LC_TOKEN: 'x', AWS_SECRET_ACCESS_KEY: 'x', SSH_AUTH_SOCK: 'x', FOO: 'x' }
    const made = plan(spec({ env: { NAMED_TOKEN: 'mine' } }), machine({ env }), [tree()])
    expect(Object.keys(made.env).sort()).toEqual([
      'FAKEROOTDONTTRYCHOWN',
      'HOME',
      'LANG',
      'LC_ALL',
      'LOGNAME',
      'NAMED_TOKEN',
      'PATH',
      'SHELL',
      'TERM',
      'TMPDIR',
      'TZ',
      'USER',
    ])
    for (const each of ['GITHUB_TOKEN', 'API_KEY', 'X_SECRET', 'DB_PASSWORD', 'MY_CREDENTIALS', 'PASSWORD_FILE'])
      expect(looksSecret(each)).toBe(true)
    for (const each of ['KEYBOARD', 'TOKENIZER', 'PATH', 'MONKEY']) expect(looksSecret(each)).toBe(false)
  })

  it('stops Go from taking an inert .git for a repository, and keeps other flags for Go', () => {
    const git = { path: '/home/ada/project/.git', kind: 'directory', inert: '' } as const
    const flags = (env: Record<string, string>, absent: readonly (typeof git)[], goStamps = true) =>
      plan(spec({ env }), machine({ goStamps }), [tree({ absent })]).env['GOFLAGS']
    expect(flags({}, [git])).toBe('-buildvcs=false')
    expect(flags({ GOFLAGS: '-mod=mod' }, [git])).toBe('-buildvcs=false -mod=mod')
    expect(flags({}, [])).toBeUndefined()
    expect(flags({}, [git], false)).toBeUndefined()
  })

  it('cuts PATH down to what exists in the cell', () => {
    expect(plan(spec({ pathEntries: ['/opt/agent/bin'] }), machine(), [tree()]).env['PATH']).toBe(
      '/opt/agent/bin:/home/ada/.nvm/bin:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin',
    )
  })

  it.each([
    ['/', 'ro'],
    ['/home/ada', 'ro'],
    ['/home', 'rw'],
    ['/proc', 'ro'],
    ['/run/user/1000', 'ro'],
    ['/home/ada/.local/state/paddock', 'ro'],
    ['/home/ada/.local', 'ro'],
    ['/home/ada/.config/paddock/x', 'rw'],
  ] as const)('refuses to mount %s', (source, access) => {
    expect(() => plan(spec({ mounts: [{ source, access }] }), machine(), [tree()])).toThrow(
      expect.objectContaining({ code: 'NOT_ALLOWED' }),
    )
  })

  it('refuses targets that are the cell’s own, and homes of links', () => {
    expect(() => plan(spec({ mounts: [{ source: '/data', target: '/etc', access: 'ro' }] }), machine(), [tree()])).toThrow(
      'belongs to the cell',
    )
    expect(() => plan(spec({ project: '/real/home' }), machine({ realHome: '/real/home' }), [tree({ path: '/real/home' })])).toThrow(
      'your home directory',
    )
    expect(() => plan(spec({ homeFiles: [{ path: '../out', content: '', overwrite: true }] }), machine(), [tree()])).toThrow(
      'not a path below',
    )
  })

  it('protects what runs later, present or not, in every tree that can be written to', () => {
    const other = tree({ path: '/data/other', present: ['/data/other/.git/config'], guards: ['/data/other/.git'] })
    const made = plan(spec({ mounts: [{ source: '/data/other', access: 'rw' }] }), machine(), [
      tree({ absent: [{ path: '/home/ada/project/.envrc', kind: 'file', inert: '' }] }),
      other,
    ])
    expect(made.filesystem).toContainEqual({ kind: 'inert', target: '/home/ada/project/.envrc', type: 'file', content: '' })
    expect(made.filesystem).toContainEqual({
      kind: 'bind',
      source: '/data/other/.git/config',
      target: '/data/other/.git/config',
      access: 'ro',
      reason: 'run-later',
    })
    expect(made.filesystem.filter((each) => targetOf(each) === '/data/other')).toHaveLength(1)
  })

  it('says when there would be too many mounts', () => {
    const present = Array.from({ length: 2600 }, (_, n) => `/home/ada/project/d${n}/.envrc`)
    expect(() => plan(spec(), machine(), [tree({ present })])).toThrow(expect.objectContaining({ code: 'UNENFORCEABLE' }))
  })

  it('never runs an agent as root', () => {
    const made = plan(spec(), machine({ user: { name: 'root', uid: 0, gid: 0, home: '/root' }, realHome: '/root' }), [tree()])
    expect(made.identity).toMatchObject({ user: 'agent', uid: 1000, gid: 1000 })
  })
})
