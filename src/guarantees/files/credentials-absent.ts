import { existsSync } from 'node:fs'
import path from 'node:path'
import { adapters } from '../../adapters/find-adapter.ts'
import { credentialPlaces } from '../../cell/plan/absent-places/places-of-credentials.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { unlessAll } from '../probe/outcomes.ts'

/** Paths in the home directory where programs keep credentials or histories. */
const places = [...credentialPlaces, ...adapters.map((each) => each.stateDirectory)]

export const credentialsAbsent: Guarantee = {
  id: 'credentials-absent',
  chapter: 'files',
  claim:
    'Credentials that other programs keep in your home (SSH, clouds, registries, browsers, keyrings, other agents) do not exist in a cell.',
  mechanism: 'A cell has a separate, empty home directory. Only directories of your home that contain nothing but programs are mounted.',
  kind: 'structural',
  why: 'Paddock does not need to know which files are secret. A path that no mount shows does not exist (ENOENT), whatever its name is.',
  fails: [
    'You mount such a directory by name.',
    "With `--credentials snapshot` or `volume`, the cell has the agent's own login.",
    'You keep a secret in a program directory (a toolchain, /usr, /opt).',
  ],
  probe: async (bench) => {
    const homes = [...new Set([bench.machine.user.home, bench.machine.realHome])]
    const files = homes.flatMap((home) => places.map((each) => path.join(home, each)))
    const standing = files.filter((each) => existsSync(each))
    const { result } = await bench.inside(({ fs, env, attempt }, given) => {
      // At L1, the directories of agents exist and are empty, also those that are links.
      const look = (file: string): void => {
        if (!fs.statSync(file).isDirectory() || fs.readdirSync(file).length > 0) return
        throw Object.assign(new Error('empty'), { code: 'ENOENT' })
      }
      const tried = given.map((file) => [file, attempt(() => look(file))] as const)
      return { tried: Object.fromEntries(tried), home: attempt(() => fs.readdirSync(env['HOME'] ?? '')) }
    }, files)
    if (result.home !== 'ok') return broken(`the probe could not read its own home: ${result.home}`)
    const finding = unlessAll(result.tried, ['ENOENT'])
    return finding ?? held(`${files.length} paths checked, of which ${standing.length} exist on this host: ENOENT`)
  },
}
