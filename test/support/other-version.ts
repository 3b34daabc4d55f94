import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
// @ts-expect-error The build is plain JavaScript.
import { builtins } from '../../scripts/builtins.mjs'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Builds this Paddock below `place` with the protocol of host processes of the version before. Returns the path of its launcher. */
export async function otherVersion(place: string): Promise<string> {
  for (const each of ['bin', 'dist', 'package.json', 'node_modules/@lydell', 'node_modules/tldts', 'node_modules/tldts-core'])
    cpSync(path.join(checkout, each), path.join(place, each), { recursive: true })
  let changed = 0
  await build({
    cwd: checkout,
    input: { main: 'src/cli/main.ts' },
    platform: 'node',
    plugins: [
      builtins,
      {
        name: 'other-protocol',
        transform(code: string, id: string) {
          if (!id.endsWith('/host-process/host-protocol.ts')) return null
          return code.replace(/(protocolVersion = )(\d+)/, (_all, name: string, version: string) => {
            changed++
            return name + String(Number(version) - 1)
          })
        },
      },
    ],
    external: ['@lydell/node-pty', 'tldts', '@azure/identity', '@azure/keyvault-secrets', 'zlib-sync'],
    output: {
      dir: path.join(place, 'dist'),
      format: 'esm',
      codeSplitting: { groups: [{ name: 'core', test: /\/src\/cli\/(?:program|run\/run)\.ts$/ }] },
    },
    logLevel: 'silent',
  })
  if (changed !== 1) throw new Error('the version of the protocol was not found')
  return path.join(place, 'bin/paddock.mjs')
}
