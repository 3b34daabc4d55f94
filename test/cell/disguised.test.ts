import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CellReport } from '../../src/cell/report.ts'
import { removeTree } from '../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../support/real-cell.ts'

let root: string
let project: string
/** A file that exists if the host's git ran a program of the cell. */
let ran: string
beforeEach(() => {
  root = mkdtempSync('/tmp/paddock-disguised-')
  project = path.join(root, 'project')
  ran = path.join(root, 'ran')
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
})
afterEach(() => removeTree(root))

async function inCell(script: string): Promise<CellReport> {
  const cell = await realCells(pathsBelow(root))(plainSpec(project, ['sh', '-ec', script]), { stdin: 'none' })
  cell.stderr.resume()
  cell.stdout.resume()
  const report = await cell.done
  expect(report.ending).toEqual({ kind: 'exited', code: 0 })
  return report
}

/** Runs git status there, as a user would without a second thought. */
function gitStatus(directory: string): void {
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: `${root}/home`,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  }
  try {
    execFileSync('git', ['status'], { cwd: path.join(project, directory), env, stdio: 'ignore' })
  } catch {
    // It is not a repository, as intended.
  }
}

const config = (more: string): string => `[core]\\n\\trepositoryformatversion = 1\\n\\tbare = false\\n${more}`

describe('a directory that git takes for a repository by its commondir', () => {
  const make = (at: string, store: string): string => `
    mkdir -p ${at} ${store}/objects ${store}/refs/heads
    printf 'ref: refs/heads/main\\n' > ${at}/HEAD
    printf '${path.posix.relative(at, store)}\\n' > ${at}/commondir
    printf '[core]\\n\\tworktree = ..\\n\\tfsmonitor = touch ${ran}\\n' > ${at}/config.worktree
    printf '${config('[extensions]\\n\\tworktreeConfig = true\\n')}' > ${store}/config`

  test('was made by a cell', async () => {
    const report = await inCell(make('docs', 'store'))
    gitStatus('docs')
    expect(existsSync(ran)).toBe(false)
    expect(report.changes?.quarantined).toEqual([{ path: 'docs/HEAD', movedTo: 'docs/HEAD.quarantined' }])
  })

  test('was made by a cell out of a HEAD of the user’s', async () => {
    mkdirSync(path.join(project, 'docs'))
    writeFileSync(path.join(project, 'docs/HEAD'), 'ref: refs/heads/main\n')
    await inCell(make('docs', 'store').replace(/.*HEAD\n/, ''))
    gitStatus('docs')
    expect(existsSync(ran)).toBe(false)
  })

  test('is the user’s: what git obeys of it is read-only or a private copy, and it stays', async () => {
    execFileSync('sh', ['-ec', make('docs', 'store').replaceAll(ran, 'none')], { cwd: project })
    const look = (): string => execFileSync('sh', ['-c', 'ls -A; ls -lAR store/hooks 2>&1 || true'], { cwd: project, encoding: 'utf8' })
    const before = look()
    const report = await inCell(`
      echo bad > store/hooks/post-checkout
      for each in docs/config.worktree docs/commondir store/config; do
        if { echo bad > $each; } 2>/dev/null; then echo "$each" >> written; fi
        if rm $each 2>/dev/null; then echo "$each" >> written; fi
      done
      if mv store away 2>/dev/null || mv docs away 2>/dev/null; then echo moved >> written; fi`)
    expect(look()).toEqual(before)
    expect(report.changes?.discarded).toEqual(['store/hooks/post-checkout'])
    expect(report.changes?.quarantined).toEqual([])
  })
})

describe('quarantined entries', () => {
  const repository = (at: string): string => `
    mkdir -p ${at}/objects ${at}/refs/heads
    printf 'ref: refs/heads/main\\n' > ${at}/HEAD
    printf '${config(`\\tworktree = .\\n\\tfsmonitor = touch ${ran}\\n`)}' > ${at}/config`

  test.each(['sub/.git', 'sub/.vscode', 'node_modules/a/.git'])('is not a repository for git itself: %s', async (at) => {
    const aside = `${at}.quarantined`
    const report = await inCell(
      ['', '/modules/lib', '/modules/deep/er', '/worktrees/x', '/node_modules/y', '/z/.git']
        .map((each) => repository(`${at}${each}`))
        // Such a repository cannot be laundered.
        .concat(`echo bad > ${at}/packed-refs`)
        .join('\n'),
    )
    expect(existsSync(path.join(project, aside))).toBe(true)
    for (const each of ['', '/modules/lib', '/modules/deep/er', '/worktrees/x', '/node_modules/y', '/z', '/z/.git.quarantined'])
      gitStatus(`${aside}${each}`)
    expect(existsSync(ran)).toBe(false)
    expect(report.changes?.quarantined).toContainEqual({ path: `${aside}/HEAD`, movedTo: `${aside}/HEAD.quarantined` })
    expect(report.changes?.unsearched).toEqual([])
    // Files in quarantined directories are not reported as changes of the project.
    expect(report.changes?.created.filter((each) => each.includes('quarantined'))).toEqual([])
  })

  test('takes no other program of the user’s in either', async () => {
    await inCell('mkdir -p sub/.claude/deep/.vscode; echo bad > sub/.claude/.envrc; echo bad > sub/.claude/deep/.vscode/tasks.json')
    expect(readdirSync(path.join(project, 'sub/.claude.quarantined')).sort()).toEqual(['.envrc.quarantined', 'deep'])
    expect(readdirSync(path.join(project, 'sub/.claude.quarantined/deep'))).toEqual(['.vscode.quarantined'])
  })

  test('is named where it could not be searched to its end', async () => {
    const deep = Array.from({ length: 250 }, () => 'd').join('/')
    const report = await inCell(`
      mkdir -p sub/.git
      cd sub/.git
      i=0; while [ $i -lt 250 ]; do mkdir d; cd d; i=$((i+1)); done
      ${repository('.').replaceAll('./', '')}`)
    expect(deep.length).toBeGreaterThan(380)
    expect(report.changes?.unsearched.join()).toMatch(/^sub\/\.git\.quarantined\/d\/d\//)
    expect(report.changes?.truncated).toBe(true)
  })
})
