import { forgeOf } from '../../egress/forge/forge.ts'
import { placeholderFor } from '../../egress/placeholder/placeholder.ts'
import { Secret } from '../../secrets/secret.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { sendAll } from '../probe/send-all.ts'
import { webHost } from '../probe/web-host.ts'

/** Requests for which the token must not be used, below the base of the API. */
const others = [
  ...['GET repos/me/other', 'GET repos/me/named/../other/pulls', 'GET repos/me/named%2f..%2fother/pulls', 'GET repos/me/named;/../other'],
  ...['GET repositories/12/pulls', 'GET repos/me/named2/pulls', 'GET repos/me/Named/pulls', 'GET user/repos', 'POST repos/me/other/issues'],
  ...['GET repos/me/named/traffic/views', 'GET repos/me/named/pulls%2f..%2fkeys', 'GET repos/me/named/pulls/1%2f..%2f..%2fhooks'],
  ...['POST repos/me/named/keys', 'POST repos/me/named/hooks', 'PUT repos/me/named/actions/secrets/A', 'POST repos/me/named/forks'],
  ...['POST repos/me/named/issues', 'GET repos/me/named/issues?_method=DELETE', 'POST graphql', 'POST ../graphql'],
]

export const namedRepositoryOnly: Guarantee = {
  id: 'named-repository-only',
  chapter: 'credentials',
  claim:
    "A forge's token is used in the REST API only for listed requests to the repositories that you named, even if your rules permit other requests. It is never used for GraphQL, and for changes only at repositories named with =write.",
  mechanism:
    'The gateway swaps the placeholder only if every way to read the method and path of a request is on the list for a named repository.',
  kind: 'policy',
  why: 'The list names what is permitted, so a request that Paddock does not know is sent without the token.',
  fails: [
    'A listed request returns or changes something outside the repository, such as a comparison with a fork, or a pull request to another project.',
    'A whole host is named (`--repo HOST`). The token is then used for all requests except those that create further credentials.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    using web = await webHost(bench)
    const real = `ghp_${bench.secret()}`
    const placeholder = placeholderFor(real)
    const forge = forgeOf(web.name, 'github-enterprise', [{ host: web.name, path: ['me', 'named'], access: 'read' }])
    const credential = {
      ...{ name: 'the token of a probe', hosts: forge.uses, places: forge.places, droppedElsewhere: true as const },
      placeholders: () => [placeholder],
      secret: async () => Secret.fromText('the token of a probe', real),
    }
    const request = (text: string): string => {
      const [method = '', path = ''] = text.split(' ')
      const fields = [`Host: ${web.name}`, `Authorization: token ${placeholder}`, 'Content-Length: 0', 'Connection: close']
      return [`${method} /api/v3/${path} HTTP/1.1`, ...fields, '', ''].join('\r\n')
    }
    const named = 'GET repos/me/named/pulls'
    const egress = bench.policy([{ host: web.name, inspect: { rules: [], otherwise: 'allow' } }])
    const texts = Object.fromEntries([...others, named].map((each) => [each, request(each)]))
    const { result } = await bench.inside(sendAll, { host: web.name, texts }, { egress, credentials: [credential] })
    const withToken = web.arrived.filter((each) => JSON.stringify(each.headers).includes(real))
    const wrong = withToken.find(({ target }) => target !== '/api/v3/repos/me/named/pulls')
    if (wrong !== undefined) return broken(`the token was used for ${wrong.method} ${wrong.target}`)
    if (withToken.length !== 1 || web.arrived.length <= others.length)
      return broken(`the requests did not arrive (${Object.values(result).join(', ')}), so the probe is inconclusive`)
    return held(
      `${others.length} requests to other repositories or off the list were sent without the token; one on the list was sent with it`,
    )
  },
}
