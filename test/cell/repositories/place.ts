import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { CellReport } from '../../../src/cell/report.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'

/** A project with a repository, cells in it, and an alarm in the user's git: `ran` exists once git ran a program of the cell. */
export interface Place extends AsyncDisposable {
  readonly root: string
  readonly project: string
  readonly ran: string
  inCell(script: string, cwd?: string): Promise<CellReport>
  /** Runs the host's git like a user, in a directory relative to the project. */
  useGit(directory: string): void
}

export function openPlace(parent = '/tmp'): Place {
  const root = mkdtempSync(`${parent}/paddock-repositories-`)
  const project = path.join(root, 'project')
  const ran = path.join(root, 'ran')
  const env = {
    PATH: '/usr/bin:/bin',
    HOME: `${root}/home`,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  }
  for (const each of ['home', 'project']) mkdirSync(path.join(root, each))
  const start = realCells(pathsBelow(root))
  return {
    root,
    project,
    ran,
    async inCell(script, cwd = project) {
      const cell = await start(plainSpec(cwd, ['sh', '-ec', script]), { stdin: 'none' })
      cell.stderr.resume()
      cell.stdout.resume()
      const report = await cell.done
      expect(report.ending).toEqual({ kind: 'exited', code: 0 })
      return report
    },
    useGit(directory) {
      for (const words of [['status'], ['gc', '--auto']]) {
        try {
          execFileSync('git', words, { cwd: path.join(project, directory), env, stdio: 'ignore', timeout: 20_000 })
        } catch {
          // There is no repository, as intended.
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await removeTree(root)
    },
  }
}

/** Returns shell commands that create a repository whose configuration runs `touch` on a file. */
export function repositoryAt(at: string, ran: string): string {
  return `
    mkdir -p '${at}/objects' '${at}/refs/heads' '${at}/hooks'
    printf 'ref: refs/heads/main\\n' > '${at}/HEAD'
    printf '#!/bin/sh\\ntouch ${ran}\\n' > '${at}/hooks/pre-auto-gc'; chmod +x '${at}/hooks/pre-auto-gc'
    printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = touch ${ran}\\n' > '${at}/config'`
}

/** Returns every directory of a tree that a user can enter, by any path. Links are followed, and each directory is listed once per link. */
export function enterable(root: string): readonly string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const queue: string[] = ['.']
  for (let at = queue.pop(); at !== undefined && found.length < 5000; at = queue.pop()) {
    const full = path.join(root, at)
    if (!existsSync(full) || !statSync(full).isDirectory()) continue
    const real = realpathSync(full)
    if (!real.startsWith(root)) continue
    found.push(at)
    if (seen.has(real)) continue
    seen.add(real)
    for (const each of readdirSync(full)) queue.push(path.join(at, each))
  }
  return found
}

/** Returns true if the alarm was raised, and resets it. */
export function wasRaised(ran: string): boolean {
  const raised = existsSync(ran)
  rmSync(ran, { force: true })
  return raised
}
