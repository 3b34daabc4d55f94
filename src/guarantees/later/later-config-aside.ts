import { existsSync, lstatSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hostProgram } from '../../system/host-program.ts'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'
import { endOfProgram } from '../probe/host-program-end.ts'

const rounds = 40
const evil = '[core]\n\tfsmonitor = evil\n'

export const configAside: Guarantee = {
  id: 'later-config-aside',
  chapter: 'later',
  claim:
    'While a cell runs in a repository, git on the host can change .git/config, and the cell can change neither this file nor what git is writing.',
  mechanism:
    'For that time .git/config is a link to .git/paddock/config. Git follows the link, and takes its lock beside the target. In the cell, a directory with a copy of the config is mounted over .git/paddock, and the link is a mount point of its own, so it cannot be removed or replaced. The host process checks both mounts before the agent starts, and moves the config back at the end.',
  kind: 'policy',
  why: 'Git writes a new configuration into a file beside the old one. If the cell could write into that file, it could name a program in it that git runs.',
  fails: [
    'The configurations of bare repositories in the project are not aside. They are locked while a cell runs.',
    'A program that replaces the link itself, instead of following it, ends the cell if the new configuration says more than branches do.',
    'On macOS, the configuration is locked: git config fails on the host.',
  ],
  probe: async (bench) => {
    const git = hostProgram('git', '/usr/local/bin:/usr/bin:/bin')
    if (git === null) return unenforceable('git is not installed, so nothing changes a configuration')
    const project = await bench.project({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
    })
    const config = path.join(project, '.git/config')
    const cell = await holdCell(
      bench,
      bench.command(
        ({ fs }, { targets, bad }) => {
          process.stdout.write('ready\n')
          const ways = [
            (file: string) => fs.writeFileSync(fs.openSync(file, 'a'), bad),
            (file: string) => fs.renameSync(file, `${file}.moved`),
            (file: string) => fs.unlinkSync(file),
            (file: string) => fs.renameSync('made', file),
          ]
          const spin = (): void => {
            fs.writeFileSync('made', bad)
            for (const target of targets)
              for (const way of ways)
                try {
                  way(target)
                } catch {
                  // The next one.
                }
            setImmediate(spin)
          }
          process.stdin.resume().once('end', () => process.exit(0))
          spin()
        },
        { targets: ['.git/config', '.git/paddock/config', '.git/paddock/config.lock', '.git/paddock'], bad: evil },
      ),
      { project },
    )
    const isChanged = (): boolean => !existsSync(config) || readFileSync(config, 'utf8').includes('evil')
    const failed: string[] = []
    for (let round = 0; round < rounds; round++) {
      const args = ['-c', 'safe.directory=*', '-C', project, 'config', `probe.round${round}`, 'mine']
      const { status, stderr } = await endOfProgram(git, args, { env: { PATH: '/usr/bin:/bin', HOME: '/' } })
      if (status !== 0) failed.push(stderr.trim())
      if (isChanged()) return broken('the cell changed the configuration that git reads on the host')
    }
    await cell.end()
    if (isChanged()) return broken('the cell changed the configuration that git reads on the host')
    const text = readFileSync(config, 'utf8')
    if (failed.length > 0) return broken(`git config failed on the host: ${failed[0]}`)
    if (!lstatSync(config).isFile()) return broken('the configuration was not moved back')
    if ((text.match(/= mine/g)?.length ?? 0) !== rounds) return broken('settings that git wrote on the host are gone')
    return held(`git changed the configuration ${rounds} times while the cell attacked it, and it contains only what git wrote`)
  },
}
