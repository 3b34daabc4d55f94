import { open, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { Secret } from '../../secrets/secret.ts'

/** The paths in the CLI's packages that may contain the client, bundled and not. */
const places = ['bundle', 'dist', '../gemini-cli-core/dist/src/code_assist', 'node_modules/@google/gemini-cli-core/dist/src/code_assist']
const maxFiles = 400
const maxBytes = 64 * 1024 ** 2

export interface InstalledClient {
  readonly id: string
  readonly secret: Secret
}

/**
 * Returns the OAuth client of the installed gemini. According to Google, the secret of such a client is "not treated as a secret", and the
 * CLI's source contains it. Paddock does not have a copy, and reads it from the installation. `program`: the `gemini` in PATH, or its link
 * target. Null: the client was not found.
 */
export async function installedClient(program: string): Promise<InstalledClient | null> {
  const real = await realpath(program).catch(() => null)
  const root = real === null ? null : /^(.*\/node_modules\/@google\/gemini-cli)\//.exec(real)?.[1]
  const directories = root == null ? (real === null ? [] : [path.dirname(real)]) : places.map((each) => path.join(root, each))
  for (const directory of directories) {
    const names = (await readdir(directory).catch(() => [])).filter((name) => /\.m?js$/.test(name)).slice(0, maxFiles)
    for (const name of names) {
      const client = clientIn(await textOf(path.join(directory, name)))
      if (client !== null) return client
    }
  }
  return null
}

function clientIn(text: string): InstalledClient | null {
  const id = /\bOAUTH_CLIENT_ID\s*=\s*["']([\w.-]{10,200})["']/.exec(text)?.[1]
  const secret = /\bOAUTH_CLIENT_SECRET\s*=\s*["']([\w-]{10,200})["']/.exec(text)?.[1]
  return id === undefined || secret === undefined ? null : { id, secret: Secret.fromText('gemini client secret', secret) }
}

async function textOf(file: string): Promise<string> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return ''
  try {
    return (await handle.stat()).size > maxBytes ? '' : await handle.readFile('latin1')
  } finally {
    await handle.close()
  }
}
