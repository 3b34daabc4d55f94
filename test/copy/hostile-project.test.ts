import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lab } from './lab.ts'

const git = (directory: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'safe.directory=*', '-c', 'user.name=A', '-c', 'user.email=a@example', '-C', directory, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

function repository(directory: string, file: string): string {
  mkdirSync(directory, { recursive: true })
  git(directory, 'init', '-q')
  writeFileSync(path.join(directory, file), file)
  git(directory, 'add', '.')
  git(directory, 'commit', '-qm', file)
  return git(directory, 'rev-parse', 'HEAD').trim()
}

/** Puts a gitlink with that name into the index, which git itself would refuse (gitformat-index(5)). */
function plantGitlink(project: string, name: string, commit: string): void {
  const [index, stand] = [path.join(project, '.git/index'), 'z'.repeat(Buffer.byteLength(name))]
  git(project, 'update-index', '--add', '--cacheinfo', `160000,${commit},${stand}`)
  const content = Buffer.from(readFileSync(index).toString('latin1').replace(stand, name), 'latin1').subarray(0, -20)
  writeFileSync(index, Buffer.concat([content, createHash('sha1').update(content).digest()]))
}

describe('a project in which an agent may write everything, .git too', () => {
  it.each(['../other', '../tree/inner', 'sub/../../other', './../other', 'lead/other', '.git/modules/x'])(
    'a gitlink %s brings no other repository into the copy, and nothing beside it',
    async (name) => {
      await using place = await lab()
      const commit = repository(place.at('other'), 'private')
      repository(place.at('tree/inner'), 'private')
      repository(place.project, 'own')
      repository(path.join(place.project, '.git/modules/x'), 'private')
      mkdirSync(path.join(place.project, 'sub'))
      symlinkSync('..', path.join(place.project, 'lead'))
      plantGitlink(place.project, name, commit)
      const { place: made, record } = await place.copy().catch((error: Error) => {
        throw new Error(`no copy: ${error.message}`)
      })
      expect(readdirSync(made.directory).sort()).toEqual(['base.json', 'record.json', 'rules.git', 'tree'])
      expect(record.repositories).toEqual([''])
      const found = execFileSync('find', [realpathSync(made.tree), '-mindepth', '2', '-name', '.git'], { encoding: 'utf8' })
      expect(found).toBe('')
      expect(existsSync(path.join(made.tree, 'own'))).toBe(true)
    },
  )
})
