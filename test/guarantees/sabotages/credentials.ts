import type * as Placeholders from '../../../src/adapters/placeholders.ts'
import type * as Adopt from '../../../src/credentials/volume/adopt.ts'
import type * as Named from '../../../src/egress/forge/named-repository.ts'
import type * as Foreign from '../../../src/egress/placeholder/foreign.ts'
import type * as Keeper from '../../../src/egress/placeholder/keeper.ts'
import type * as Masked from '../../../src/egress/placeholder/masked.ts'
import type * as Reach from '../../../src/egress/placeholder/reach.ts'
import type * as Swap from '../../../src/egress/placeholder/swap.ts'
import type * as ConfigLogins from '../../../src/git/config-logins.ts'
import { replace, type Sabotage } from './sabotage.ts'

export const credentialsSabotages: readonly Sabotage[] = [
  {
    id: 'real-credentials-absent',
    without: 'the placeholder for a key',
    evidence: /the real key was found/,
    break: () =>
      replace<typeof Placeholders>('adapters/placeholders.ts', ({ keyPlaceholder }) => ({
        keyPlaceholder: (adapter, variable, secret, baseUrl) => {
          const made = keyPlaceholder(adapter, variable, secret, baseUrl)
          return made === null ? null : { ...made, value: secret.text() }
        },
      })),
  },
  {
    id: 'real-credentials-absent',
    without: 'the search of responses',
    evidence: /was found in the cell/,
    break: () => replace<typeof Masked>('egress/placeholder/masked.ts', () => ({ maskedResponse: (response) => response })),
  },
  {
    id: 'git-logins-absent',
    without: 'a copy without logins',
    evidence: /is in the cell/,
    break: () => replace<typeof ConfigLogins>('git/config-logins.ts', () => ({ withoutLogins: (text) => text })),
  },
  {
    id: 'placeholder-useless-elsewhere',
    without: 'the comparison of hosts',
    evidence: /arrived where it does not belong/,
    break: () =>
      replace<typeof Keeper>('egress/placeholder/keeper.ts', ({ CredentialKeeper: Real }) => ({
        CredentialKeeper: class extends Real {
          readonly #own: Parameters<InstanceType<typeof Real>['fill']>[2] | undefined

          constructor(options: ConstructorParameters<typeof Real>[0]) {
            super(options)
            this.#own = options.credentials[0]?.hosts[0]
          }

          override fill: InstanceType<typeof Real>['fill'] = (request, path, to, signal) =>
            super.fill(request, path, this.#own ?? to, signal)
        },
      })),
  },
  {
    id: 'placeholder-useless-elsewhere',
    without: 'the comparison of header places',
    evidence: /arrived where it does not belong/,
    break: () =>
      replace<typeof Swap>('egress/placeholder/swap.ts', () => ({
        holds: () => true,
        swap: (request, _place, placeholders, secret) => {
          const put = (text: string): string => placeholders.reduce((all, placeholder) => all.replaceAll(placeholder, secret.text()), text)
          return { target: put(request.target), headers: request.headers.map(([name, value]) => [name, put(value)] as const) }
        },
      })),
  },
  {
    id: 'named-repository-only',
    without: 'the comparison of paths',
    evidence: /the token was used for/,
    break: () => replace<typeof Reach>('egress/placeholder/reach.ts', () => ({ reachOf: () => () => true })),
  },
  {
    id: 'named-repository-only',
    without: 'the list of requests',
    evidence: /the token was used for GET \/api\/v3\/repos\/me\/named\/traffic\/views/,
    break: () =>
      replace<typeof Named>('egress/forge/named-repository.ts', ({ namedRequests }) => ({
        namedRequests: { ...namedRequests, github: { ...namedRequests.github, read: ['traffic/**', ...namedRequests.github.read] } },
      })),
  },
  {
    id: 'foreign-credentials-refused',
    without: 'the check for other credentials in the request',
    evidence: /with another credential arrived/,
    break: () => replace<typeof Foreign>('egress/placeholder/foreign.ts', () => ({ isForeign: () => false })),
  },
  {
    id: 'refresh-token-stays',
    without: 'the gateway’s own response to a renewal',
    evidence: /renewals from the cell arrived/,
    break: () =>
      replace<typeof Keeper>('egress/placeholder/keeper.ts', ({ CredentialKeeper: Real }) => ({
        CredentialKeeper: class extends Real {
          override renewal(): null {
            return null
          }
        },
      })),
  },
  {
    id: 'credential-echo-masked',
    without: 'the search of responses',
    evidence: /came back into the cell/,
    break: () => replace<typeof Masked>('egress/placeholder/masked.ts', () => ({ maskedResponse: (response) => response })),
  },
  {
    id: 'volume-keeps-account',
    without: 'the rule that nothing from a cell is stored in a volume',
    evidence: /login of another account .* is in the volume/,
    break: () =>
      replace<typeof Adopt>('credentials/volume/adopt.ts', ({ adoptLogin, readLeft }) => ({
        readLeft: async (volume, work) => {
          await adoptLogin(volume, work)
          return readLeft(volume, work)
        },
      })),
  },
  {
    id: 'volume-keeps-account',
    without: 'the gateway’s own response to a renewal',
    evidence: /renewals from the cell arrived/,
    break: () =>
      replace<typeof Keeper>('egress/placeholder/keeper.ts', ({ CredentialKeeper: Real }) => ({
        CredentialKeeper: class extends Real {
          override renewal(): null {
            return null
          }
        },
      })),
  },
]
