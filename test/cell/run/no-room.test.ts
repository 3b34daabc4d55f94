import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isRoot } from '../../support/cli.ts'
import { pathsBelow, plainSpec, realCells } from '../../support/real-cell.ts'

test('7: a full disk is named when a cell cannot start', async ({ skip }) => {
  skip(!isRoot, 'needs root: it mounts a small file system')
  const root = mkdtempSync('/tmp/paddock-full-')
  const paths = pathsBelow(root)
  for (const each of [paths.userHome, paths.state, path.join(root, 'project')]) mkdirSync(each)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', paths.state])
  try {
    const start = realCells(paths)
    writeFileSync(path.join(paths.state, 'filler'), Buffer.alloc(statfsSync(paths.state).bavail * 4096))
    await expect(start(plainSpec(path.join(root, 'project'), ['true']), { stdin: 'none' })).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`^The cell could not be started: no space left on the disk of ${paths.state}\\.$`)),
      hint: expect.stringMatching(/^Make room on that disk/),
    })
  } finally {
    execFileSync('sh', ['-c', `umount ${paths.state}`])
    rmSync(root, { recursive: true })
  }
})

test('7: a start that fails on a full disk leaves nothing in the project', async ({ skip }) => {
  skip(!isRoot, 'needs root: it mounts a small file system')
  const root = mkdtempSync('/tmp/paddock-full-')
  const paths = pathsBelow(root)
  const project = path.join(root, 'project')
  for (const each of [paths.userHome, project]) mkdirSync(each)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', project])
  try {
    writeFileSync(path.join(project, 'filler'), Buffer.alloc(statfsSync(project).bavail * 4096))
    await expect(realCells(paths)(plainSpec(project, ['true'], { strictNames: true }), { stdin: 'none' })).rejects.toMatchObject({
      message: expect.stringContaining(`no space left on the disk of ${project}`),
    })
    expect(readdirSync(project)).toEqual(['filler'])
  } finally {
    execFileSync('umount', [project])
    rmSync(root, { recursive: true })
  }
})

test('a project on a read-only file system is named with a way to work', async ({ skip }) => {
  skip(!isRoot, 'needs root: it mounts a file system')
  const root = mkdtempSync('/tmp/paddock-full-')
  const paths = pathsBelow(root)
  const project = path.join(root, 'project')
  for (const each of [paths.userHome, path.join(project, '.git')]) mkdirSync(each, { recursive: true })
  execFileSync('mount', ['--bind', '-o', 'ro', project, project])
  try {
    await expect(realCells(paths)(plainSpec(project, ['true'], { strictNames: true }), { stdin: 'none' })).rejects.toMatchObject({
      message: `The cell could not be started: the file system of ${project} is read-only.`,
      hint: 'Work on a copy of it with --copy',
    })
  } finally {
    execFileSync('umount', [project])
    rmSync(root, { recursive: true })
  }
})
