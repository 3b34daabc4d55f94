import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'
import { resultMark } from '../probe/inside.ts'

export const authorityKeyAbsent: Guarantee = {
  id: 'authority-key-absent',
  chapter: 'requests',
  claim: "The private key of a cell's certificate authority is neither in the cell nor on the host's disk.",
  mechanism:
    'The key is generated for one cell in the memory of the host process, and never written out. The cell gets only the certificate.',
  kind: 'structural',
  why: 'A key that was never written cannot be read from a file, and a cell cannot reach the memory of the host process.',
  fails: ['Swap and core files of the host process (cells write no core files; whether the host does is your setting).'],
  under: ['allowlist'],
  probe: async (bench) => {
    const host = `${bench.secret()}.example`
    const cell = await bench.start(
      bench.command(({ fs, env }) => {
        const keys: string[] = []
        let files = 0
        // At L1, the home shows that of the host, which can have a million files.
        let most = 0
        // Searches only the cell's own directories, not the mounts in them.
        const look = (directory: string, deep: number, device = fs.statSync(directory).dev): void => {
          let entries: import('node:fs').Dirent[] = []
          try {
            entries = fs.readdirSync(directory, { withFileTypes: true })
          } catch {
            return
          }
          for (const each of entries) {
            if (files >= most) return
            const file = `${directory}/${each.name}`
            // At L1, a file of the host may have gone meanwhile.
            const found = fs.lstatSync(file, { throwIfNoEntry: false })
            if (found === undefined) continue
            if (each.isDirectory() && deep > 0 && found.dev === device) look(file, deep - 1, device)
            else if (each.isFile() && found.size < 4_000_000) {
              files++
              try {
                if (/-----BEGIN [A-Z ]*PRIVATE KEY/.test(fs.readFileSync(file, 'latin1'))) keys.push(file)
              } catch {
                // An unreadable file reveals no secret to this cell.
              }
            }
          }
        }
        for (const each of ['/etc/paddock', '/tmp', '/run', '/dev/shm', '/var/tmp', env['HOME'] ?? '/tmp']) {
          most = files + 5_000
          look(each, 6)
        }
        if (Object.values(env).some((each) => each?.includes('PRIVATE KEY'))) keys.push('the environment')
        const certificate = fs.readFileSync('/etc/paddock/ca.pem', 'utf8').includes('BEGIN CERTIFICATE')
        return new Promise((resolve) => process.stdin.once('data', () => resolve({ keys, files, certificate })))
      }, null),
      { egress: bench.policy([{ host, inspect: { rules: [], otherwise: 'allow' } }]) },
      { stdin: 'pipe' },
    )
    const onDisk = keysBelow(path.join(bench.own.state, 'run', cell.id))
    cell.stdin?.end('go\n')
    const { stdout, stderr } = await collect(cell)
    const at = stdout.lastIndexOf(resultMark)
    if (at < 0) throw new Error(stderr.slice(0, 200))
    const seen = JSON.parse(stdout.slice(at + resultMark.length)) as { keys: string[]; files: number; certificate: boolean }
    // A key that the host has at the same place is another one.
    const keys = [...seen.keys.filter((each) => !existsSync(each)), ...onDisk.keys]
    if (keys.length > 0) return broken(`a private key is in ${keys.join(', ')}`)
    if (!seen.certificate || onDisk.files === 0) return broken('the cell had no authority, so the probe is inconclusive')
    return held(
      `the certificate is in the cell; no private key in ${seen.files} files and the environment of the cell, nor in ${onDisk.files} files of its run directory on the host`,
    )
  },
}

function keysBelow(directory: string): { readonly keys: readonly string[]; readonly files: number } {
  const files = (existsSync(directory) ? readdirSync(directory, { recursive: true }) : [])
    .map((each) => path.join(directory, String(each)))
    .filter((each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true)
  return { keys: files.filter((each) => readFileSync(each, 'latin1').includes('PRIVATE KEY')), files: files.length }
}
