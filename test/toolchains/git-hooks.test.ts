import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { becoming, everyone, makeStage, paddock } from '../support/cli.ts'

const modules = fileURLToPath(new URL('node_modules', import.meta.url))
const identity = { GIT_AUTHOR_NAME: 'x', GIT_AUTHOR_EMAIL: 'x@example.com', GIT_COMMITTER_NAME: 'x', GIT_COMMITTER_EMAIL: 'x@example.com' }

const managers = {
  husky: { install: 'node_modules/.bin/husky; echo "echo the hook ran" > .husky/pre-commit', file: ['.gitignore', 'node_modules\n'] },
  lefthook: {
    install: 'node_modules/.bin/lefthook install',
    file: ['lefthook.yml', 'pre-commit:\n  jobs:\n    - name: say\n      run: echo the hook ran\n'],
  },
  'pre-commit': {
    install: 'pre-commit install',
    file: [
      '.pre-commit-config.yaml',
      'repos:\n  - repo: local\n    hooks:\n      - {id: say, name: say, entry: echo the hook ran, language: system, verbose: true}\n      - {id: fix, name: fix, entry: sed -i s/wrong/right/, language: system, files: ^a$}\n',
    ],
  },
} as const

describe.each(everyone)('as %s, hooks of the user', (who) => {
  test.each(Object.entries(managers))(
    '%s: they run in a cell as outside, also with changes that are not staged',
    async (name, { install, file }) => {
      using stage = makeStage(who)
      cpSync(modules, path.join(stage.project, 'node_modules'), { recursive: true, verbatimSymlinks: true })
      stage.put(file[0], file[1])
      if (file[0] !== '.gitignore') stage.put('.gitignore', 'node_modules\n')
      for (const each of ['.envrc', '.vscode/settings.json', 'b']) stage.put(each, 'old\n')
      stage.own()
      const env = { ...stage.env, ...identity, PATH: `${path.dirname(process.execPath)}:${stage.env['PATH']}` }
      const onHost = (script: string): string => {
        const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-ec', script]
        return execFileSync(program, rest, { cwd: stage.project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      }
      onHost(
        `git init -q -b main .; git config user.name x; git config user.email x@example.com; git add -A; ${install}; git add -A; git commit -qm base --no-verify`,
      )
      const before = onHost('git config --list --local; ls -R .git/hooks')
      const script = `echo new >> b; echo ${name === 'pre-commit' ? 'wrong' : 'right'} > a; git add a
      git commit -m one || { git add a; git commit -m one; }; git switch -qc f; git switch -q main; git status --porcelain`
      const ran = await paddock(stage, ['run', '--egress', 'off', '--', 'sh', '-ec', script])
      expect(ran.code, ran.stderr).toBe(0)
      expect(`${ran.stdout}${ran.stderr}`).toContain('the hook ran')
      expect(ran.stdout).toMatch(/^ M b$/m)
      expect(onHost('git show HEAD:a; git diff; git status --porcelain; cat .envrc')).toMatch(/^right\n[\s\S]*\+new\n M b\nold\n$/)
      expect(onHost('git config --list --local; ls -R .git/hooks')).toBe(before)
    },
  )

  test.each(['lefthook', 'pre-commit'] as const)('%s installs hooks in a cell: they run there, and the run names them', async (name) => {
    using stage = makeStage(who)
    const { install, file } = managers[name]
    cpSync(modules, path.join(stage.project, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    stage.put(file[0], file[1])
    stage.put('.gitignore', 'node_modules\n')
    stage.own()
    const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-ec', 'git init -q -b main .; git add -A']
    execFileSync(program, rest, { cwd: stage.project, env: { ...stage.env, ...identity } })
    const author = Object.entries(identity).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    const script = `${install}; git add -A; git commit -qm one`
    const ran = await paddock(stage, ['run', '--egress', 'off', ...author, '--', 'sh', '-ec', script])
    expect(ran.code, ran.stderr).toBe(0)
    expect(`${ran.stdout}${ran.stderr}`).toContain('the hook ran')
    expect(ran.stderr).toMatch(/paddock: not kept, because hooks run on your machine: .*\.git\/hooks/)
    expect(readdirSync(path.join(stage.project, '.git/hooks')).filter((each) => !each.endsWith('.sample'))).toEqual([])
  })

  test.each([false, true])(
    'husky as `prepare` of npm: the run names the command that installs the hooks (hooks in git: %s)',
    async (isThere) => {
      using stage = makeStage(who)
      cpSync(path.join(modules, 'husky'), path.join(stage.project, 'vendor/husky'), { recursive: true })
      stage.put(
        'package.json',
        '{"name":"p","version":"1.0.0","scripts":{"prepare":"husky"},"devDependencies":{"husky":"file:vendor/husky"}}',
      )
      stage.put('.gitignore', 'node_modules\nvendor\npackage-lock.json\n')
      if (isThere) stage.put('.husky/pre-commit', 'echo the hook ran\n')
      stage.own()
      const env = { ...stage.env, ...identity, PATH: `${path.dirname(process.execPath)}:${stage.env['PATH']}` }
      const onHost = (script: string): string => {
        const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-ec', `exec 2>&1; ${script}`]
        return execFileSync(program, rest, { cwd: stage.project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      }
      onHost('git init -q -b main .; git config user.name x; git config user.email x@example.com; git add -A; git commit -qm base')
      const ran = await paddock(stage, ['run', '--egress', 'off', '--', 'npm', 'install', '--offline', '--no-audit', '--no-fund'])
      expect(ran.code, ran.stderr).toBe(0)
      if (isThere) expect(onHost('ls -A .husky')).toBe('pre-commit\n')
      expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/could not lock|File exists/)
      expect(/not written to .*/.exec(ran.stderr)?.[0]).toBe(
        'not written to .git/config, which your own git obeys: core.hookspath=.husky/_; to install the hooks, run on your machine: npx husky',
      )
      expect(onHost('git config core.hooksPath || echo unset')).toBe('unset\n')
      onHost('mkdir -p .husky; echo "echo the hook ran" > .husky/pre-commit')
      expect(onHost('npx --offline husky; git commit -q --allow-empty -m two')).toContain('the hook ran')
    },
  )

  test('husky that is installed: `prepare` and the hooks run in a cell, which cannot change the hooks of the host', async () => {
    using stage = makeStage(who)
    cpSync(path.join(modules, 'husky'), path.join(stage.project, 'vendor/husky'), { recursive: true })
    stage.put(
      'package.json',
      '{"name":"p","version":"1.0.0","scripts":{"prepare":"husky"},"devDependencies":{"husky":"file:vendor/husky"}}',
    )
    stage.put('.gitignore', 'node_modules\nvendor\npackage-lock.json\n')
    stage.put('.husky/pre-commit', 'echo the hook ran\n')
    stage.own()
    const env = { ...stage.env, ...identity, PATH: `${path.dirname(process.execPath)}:${stage.env['PATH']}` }
    const onHost = (script: string): string => {
      const [program = 'sh', ...rest] = [...becoming(who), 'sh', '-ec', `exec 2>&1; ${script}`]
      return execFileSync(program, rest, { cwd: stage.project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    }
    onHost('git init -q -b main .; git config user.name x; git config user.email x@example.com; git add -A; git commit -qm base')
    onHost('npm install --offline --no-audit --no-fund')
    const look = (): string => onHost('ls -lAR --time-style=full-iso .husky; cat .husky/_/* .husky/_/.gitignore')
    const before = look()
    const script = `npm install --offline --no-audit --no-fund; rm .husky/_/husky.sh; echo 'echo changed' > .husky/_/post-commit
    git commit -q --allow-empty -m one; git status --porcelain; ! echo 'echo evil' >> .husky/pre-commit; ! mv .husky/_ .husky/other`
    const ran = await paddock(stage, ['run', '--egress', 'off', '--', 'bash', '-ec', script])
    expect(ran.code, ran.stderr).toBe(0)
    expect(`${ran.stdout}${ran.stderr}`).toMatch(/the hook ran[\s\S]*changed/)
    expect(look()).toBe(before)
    expect(onHost('git commit -q --allow-empty -m two')).toBe('the hook ran\n')
  })
})
