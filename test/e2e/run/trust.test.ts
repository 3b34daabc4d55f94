import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

interface Plan {
  readonly egress: { readonly mode: string; readonly entries?: readonly { readonly host: string }[] }
  readonly limits: { readonly timeout: { readonly value: number | null } }
  readonly env: Readonly<Record<string, string>>
  readonly filesystem: readonly { readonly target?: string }[]
}

describe.each(everyone)('configuration and trust, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
  })
  afterEach(() => stage[Symbol.dispose]())

  const project = (text: string): void => {
    writeFileSync(path.join(stage.project, '.paddock.yaml'), `schemaVersion: 1\n${text}`)
    stage.own()
  }
  const user = (text: string): void => {
    mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
    writeFileSync(path.join(stage.root, 'paddock/config/config.yaml'), `schemaVersion: 1\n${text}`)
    stage.own()
  }
  const planned = async (args: readonly string[] = [], env: Record<string, string> = {}): Promise<Plan> => {
    const ran = await paddock(stage, ['run', '--dry-run', '--json', ...args, '--', 'true'], { env })
    expect(ran.stderr).toBe('')
    return JSON.parse(ran.stdout) as Plan
  }

  it('the file of a project counts only as it was when it was trusted', async () => {
    project('run: {egress: {allow: [a.example]}}\n')
    const refused = await inCell(stage, 'echo ran')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toMatch(/\.paddock\.yaml is not trusted, so nothing was started\.\n {2}hint: .*paddock trust/)
    expect((await planned(['--no-project-file'])).egress.entries).toEqual([])
    const shown = await paddock(stage, ['trust', '--show'])
    expect(shown.stdout).toContain('run.egress.allow = a.example')
    expect((await inCell(stage, 'echo ran')).code).toBe(2)
    expect((await paddock(stage, ['trust'])).code).toBe(0)
    expect((await planned()).egress.entries?.map((each) => each.host)).toEqual(['a.example'])
    project('run: {egress: {allow: [a.example, b.example]}}\n')
    const changed = await inCell(stage, 'echo ran')
    expect([changed.code, changed.stderr.includes('has changed since you trusted it')]).toEqual([2, true])
    project('run: {egress: {allow: [a.example]}}\n')
    expect((await inCell(stage, 'echo ran')).stdout).toBe('ran\n')
    expect((await paddock(stage, ['untrust'])).code).toBe(0)
    expect((await inCell(stage, 'echo ran')).code).toBe(2)
  })

  it('a cell cannot write it, leave one, or write what was trusted', async () => {
    const attempts =
      'for each in .paddock.yaml; do echo x > $each; mv $each y; rm $each; ln -sf /etc/passwd $each; done 2>/dev/null; ls -l .paddock.yaml | cut -c1; cat .paddock.yaml'
    expect((await inCell(stage, 'echo x > .paddock.yaml')).code).toBe(0)
    expect(existsSync(path.join(stage.project, '.paddock.yaml'))).toBe(false)
    project('run: {}\n')
    await paddock(stage, ['trust'])
    const text = readFileSync(path.join(stage.project, '.paddock.yaml'), 'utf8')
    expect((await inCell(stage, attempts)).stdout).toBe(`-\n${text}`)
    expect(readFileSync(path.join(stage.project, '.paddock.yaml'), 'utf8')).toBe(text)
    const inside = await inCell(stage, `ls ${path.join(stage.root, 'paddock/state')} ${path.join(stage.root, 'paddock/config')}; echo end`)
    expect(inside.stdout).not.toContain('trusted.json')
  })

  it('built-in, user, project, command line: the later counts, and lists add up', async () => {
    user('run:\n  egress: { policy: off, allow: [u.example] }\n  env: [SET_ONE, NOT_SET, FIXED=1]\n  limits: {timeout: 10m}\n')
    expect((await planned()).egress.mode).toBe('off')
    project('run:\n  egress: { policy: allowlist, allow: [p.example] }\n  limits: {timeout: 5m}\n')
    await paddock(stage, ['trust'])
    const plan = await planned(['--allow', 'o.example'], { SET_ONE: 'x' })
    expect(plan.egress.entries?.map((each) => each.host)).toEqual(['u.example', 'o.example', 'p.example'])
    expect([plan.env['SET_ONE'], plan.env['FIXED'], plan.env['NOT_SET'], plan.limits.timeout.value]).toEqual(['x', '1', undefined, 300_000])
    expect((await planned(['--timeout', '1m'])).limits.timeout.value).toBe(60_000)
    expect((await planned(['--egress', 'off'])).egress.mode).toBe('off')
    const show = await paddock(stage, ['config', 'show', '--origin'])
    expect(show.stdout).toMatch(/run\.egress\.allow = p\.example +.*\/project\/\.paddock\.yaml:3\n/)
    expect(show.stdout).toMatch(/run\.egress\.allow = u\.example +.*config\.yaml:3\n/)
    expect(show.stdout).toMatch(/run\.login = true +default\n/)
  })

  it('a mistake is named with its line; a path that a project asks for may lead through no link', async () => {
    user('run: {egres: off}\n')
    const wrong = await inCell(stage, 'true')
    expect([wrong.code, wrong.stderr.includes('config.yaml:2: run.egres is not a key')]).toEqual([2, true])
    user('run: {copy: true}\n')
    expect((await inCell(stage, 'echo x > made')).code).toBe(0)
    expect(existsSync(path.join(stage.project, 'made'))).toBe(false)
    expect((await inCell(stage, 'echo x > made', { args: ['--no-copy'] })).code).toBe(0)
    expect(existsSync(path.join(stage.project, 'made'))).toBe(true)
    mkdirSync(path.join(stage.root, 'real'))
    symlinkSync(path.join(stage.root, 'real'), path.join(stage.root, 'link'))
    project(`run: {ro: [${path.join(stage.root, 'link')}]}\n`)
    await paddock(stage, ['trust'])
    const through = await inCell(stage, 'true')
    expect([through.code, through.stderr.includes('leads through a link')]).toEqual([2, true])
    project(`run: {ro: [${path.join(stage.root, 'real')}]}\n`)
    await paddock(stage, ['trust'])
    expect((await planned()).filesystem.some((each) => each.target === path.join(stage.root, 'real'))).toBe(true)
  })
})
