import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'

const secret = 'a-value-that-only-the-host-sees'

describe.each(everyone)('paddock run --mask, as %s', (who) => {
  let stage: Stage
  beforeEach(() => {
    stage = makeStage(who)
    for (const each of ['.env', 'sub/deep/.env', 'vault/one', 'vault/deep/two']) stage.put(each, `KEY=${secret}\n`)
    stage.put('shown', 'shown\n')
    stage.own()
  })
  afterEach(() => stage[Symbol.dispose]())

  const three = ['--mask', '.env', '--mask', 'sub/deep/.env', '--mask', 'vault', '--mask', 'vault/deep/two']

  it('lets files and directories appear empty, which are as they were afterwards', async () => {
    const ran = await inCell(
      stage,
      `grep -rs ${secret} . && echo FOUND; cat shown; wc -c .env sub/deep/.env | head -2; ls vault | wc -l; rm -rf .env vault sub 2>/dev/null; echo x > .env; echo x > vault/x; mv sub other; mv .env other; ls -d .env vault sub/deep/.env`,
      { args: three },
    )
    expect(ran.stdout).toBe('shown\n0 .env\n0 sub/deep/.env\n0\n.env\nsub/deep/.env\nvault\n')
    for (const each of ['.env', 'sub/deep/.env', 'vault/one', 'vault/deep/two']) expect(stage.read(each)).toBe(`KEY=${secret}\n`)
    expect((await inCell(stage, 'cat .env')).stdout).toContain(secret)
  })

  it('holds on every mount that shows the place', async () => {
    const ran = await inCell(stage, `grep -rs ${secret} . ${stage.root}/again; cat ${stage.root}/again/shown`, {
      args: [...three, '--ro', path.join(stage.root, 'again')],
      ...again(),
    })
    expect(ran.stdout).toBe('shown\n')
  })
  const again = (): object => {
    symlinkSync(stage.project, path.join(stage.root, 'again'))
    return {}
  }

  it('holds in a copy, of which a review does not think that anything was emptied', async () => {
    const ran = await inCell(stage, `grep -rs ${secret} .; echo more >> shown; rm -f .env; echo done`, { args: ['--copy', ...three] })
    expect(ran.stdout).toBe('done\n')
    const review = await paddock(stage, ['review', '--stat'])
    expect(review.stdout).toBe('modified  shown\n')
    expect((await paddock(stage, ['apply'])).code).toBe(0)
    expect([stage.read('.env'), stage.read('shown')]).toEqual([`KEY=${secret}\n`, 'shown\nmore\n'])
  })

  it.each([
    ['the project', []],
    ['a copy of it', ['--copy']],
  ])('holds below the private copy of a directory of hooks, in %s', async (_, args) => {
    execFileSync('git', ['-C', stage.project, 'init', '-q'])
    const files = ['.git/hooks/pre-commit', '.git/hooks/lib/deep/key', '.git/hooks/vault/key']
    for (const each of files) stage.put(each, `KEY=${secret}\n`)
    stage.own()
    const script = `grep -rs ${secret} . && echo FOUND
      for each in .git/hooks/lib/deep .git/hooks/lib .git/hooks/vault; do mv $each .git/hooks/other; done
      rm -rf .git/hooks/other; rm -f .git/hooks/pre-commit; grep -rs ${secret} . && echo FOUND
      echo x > .git/hooks/post-commit && ls .git/hooks/post-commit; wc -c .git/hooks/pre-commit`
    const masks = ['.git/hooks/pre-commit', '.git/hooks/lib/deep/key', '.git/hooks/vault'].flatMap((each) => ['--mask', each])
    const ran = await inCell(stage, script, { args: [...args, ...three, ...masks] })
    // The repository of a copy has none of the hooks.
    expect(ran.stdout).toBe(`.git/hooks/post-commit\n${args.length > 0 ? '' : '0 .git/hooks/pre-commit\n'}`)
    for (const each of files) expect(stage.read(each)).toBe(`KEY=${secret}\n`)
    expect(existsSync(path.join(stage.project, '.git/hooks/post-commit'))).toBe(false)
  })

  it('ignored files are not in a copy, and are not created there', async () => {
    execFileSync('git', ['-C', stage.project, 'init', '-q'])
    stage.put('.gitignore', '.env\n')
    stage.own()
    const ran = await inCell(stage, 'ls .env 2>&1 | grep -c cannot; echo x > new', { args: ['--copy', '--mask', '.env'] })
    expect(ran.stdout).toBe('1\n')
    expect((await paddock(stage, ['review', '--stat'])).stdout).toMatch(/^added {5}new/)
    expect(stage.read('.env')).toContain(secret)
  })

  it('masks what runs later, too', async () => {
    stage.put('.envrc', `export KEY=${secret}\n`)
    stage.put('.vscode/settings.json', secret)
    stage.own()
    const ran = await inCell(stage, 'cat .envrc; ls -A .vscode; echo x > .envrc; echo x > .vscode/x; true', {
      args: ['--mask', '.envrc', '--mask', '.vscode'],
    })
    expect([ran.code, ran.stdout]).toEqual([0, ''])
    expect(stage.read('.envrc')).toContain(secret)
    expect(existsSync(path.join(stage.project, '.vscode/x'))).toBe(false)
  })

  it('refuses links, what is not there, and the project itself; says that a file has other names', async () => {
    symlinkSync('.env', path.join(stage.project, 'link'))
    linkSync(path.join(stage.project, '.env'), path.join(stage.root, 'second'))
    for (const [mask, why] of [
      ['link', 'is a symbolic link'],
      ['absent', 'the cell would see nothing at that path'],
      ['/etc/passwd', 'the cell would see nothing at that path'],
      ['.', 'is or contains the project itself'],
      ['..', 'is or contains the project itself'],
    ] as const) {
      const ran = await paddock(stage, ['run', '--mask', mask, '--', 'true'])
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(why)])
    }
    const ran = await paddock(stage, ['run', '--mask', '.env', '--', 'true'])
    expect(ran.stderr).toContain('has 1 other name (hard links), which the mask does not cover')
  })

  it('is taken from the configuration, where the files are there', async () => {
    mkdirSync(path.join(stage.root, 'paddock/config'), { recursive: true })
    writeFileSync(path.join(stage.root, 'paddock/config/config.yaml'), 'schemaVersion: 1\nrun:\n  mask: [.env, sub/deep, nowhere/.env]\n')
    stage.put('.paddock.yaml', 'schemaVersion: 1\nrun:\n  mask: [vault]\n')
    stage.own()
    await paddock(stage, ['trust'])
    const ran = await inCell(stage, `grep -rs ${secret} .; ls -A sub/deep vault | tr '\\n' ' '`)
    expect(ran.stdout).toBe('sub/deep:  vault: ')
    for (const bad of ['../up', '/etc', '~/x']) {
      stage.put('.paddock.yaml', `schemaVersion: 1\nrun:\n  mask: ["${bad}"]\n`)
      const refused = await paddock(stage, ['trust'])
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/mask.* must be a path in the project/)])
    }
  })

  it('has its guarantee held', async () => {
    const ran = await paddock(stage, ['verify', '--only', 'masked-files-empty', '--json'])
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('"held"')])
  })
})
