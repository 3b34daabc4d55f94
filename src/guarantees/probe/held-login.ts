import type { AgentAdapter } from '../../adapters/adapter.ts'
import { findAdapter } from '../../adapters/find-adapter.ts'
import { keyPlaceholder, loginPlaceholders } from '../../adapters/placeholders.ts'
import { Secret } from '../../secrets/secret.ts'
import type { CellWishes, ProbeBench } from './bench.ts'
import type { WebHost } from './web-host.ts'

/** A key and a login of the host, in the form in which an agent's cell has them. Both are for one host of the probe's internet. */
export interface HeldLogin {
  /** The secrets that must not get into the cell. */
  readonly real: { readonly key: string; readonly access: string; readonly refresh: string }
  readonly placeholder: { readonly key: string; readonly file: string }
  readonly wishes: Pick<CellWishes, 'env' | 'homeFiles' | 'credentials'>
}

/** Creates a key and a login with the code that creates those of agents. */
export function heldLogin(bench: ProbeBench, web: WebHost): HeldLogin {
  const claude: AgentAdapter = findAdapter('claude')
  const real = {
    key: `sk-ant-api03-${bench.secret()}`,
    access: `sk-ant-oat01-${bench.secret()}`,
    refresh: `sk-ant-ort01-${bench.secret()}`,
  }
  const baseUrl = `https://${web.name}`
  const key = keyPlaceholder(claude, 'ANTHROPIC_API_KEY', Secret.fromText('the key of a probe', real.key), baseUrl)
  const token = Secret.fromText('the token of a probe', real.access)
  const facts = { scopes: ['user:inference'], subscriptionType: 'max' }
  const logins = loginPlaceholders(claude, [{ provider: null, kind: 'subscription', facts }], { access: async () => token }, baseUrl)
  if (key === null) throw new Error('the claude adapter does not know ANTHROPIC_API_KEY')
  return {
    real,
    placeholder: { key: key.value, file: logins.files[0]?.path ?? '' },
    wishes: { env: { ANTHROPIC_API_KEY: key.value }, homeFiles: logins.files, credentials: [key.credential, ...logins.credentials] },
  }
}
