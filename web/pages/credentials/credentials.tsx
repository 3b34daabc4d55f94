import { useFragment } from '../../parts/fragment.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../shell/page.tsx'
import { useMay, useWho } from '../../who.ts'
import { Logins } from './logins.tsx'
import { Tokens } from './tokens.tsx'
import { Vault } from './vault.tsx'

const tabs = [
  { name: 'logins', title: 'Logins', role: 'operator', View: Logins },
  { name: 'vault', title: 'Vault', role: 'owner', View: Vault },
  { name: 'tokens', title: 'Tokens', role: 'owner', View: Tokens },
] as const

/** The credentials of agents, your own secrets, and the tokens for this server. */
export function Credentials() {
  const fragment = useFragment()
  const [isOperator, isOwner, isKnown] = [useMay('operator'), useMay('owner'), useWho() !== null]
  const seen = tabs.filter(({ role }) => (role === 'owner' ? isOwner : isOperator))
  const open = seen.find(({ name }) => name === fragment) ?? seen[0]
  return (
    <Page
      title="Credentials"
      about={<span className="soft small desk">cells only hold placeholders</span>}
      tabs={
        seen.length < 2 ? undefined : (
          <nav className="tabs" aria-label="Credentials">
            {seen.map(({ name, title }) => (
              <a key={name} href={`#${name}`} aria-current={open?.name === name ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        )
      }
    >
      {open !== undefined ? (
        <open.View />
      ) : isKnown ? (
        <p className="soft">Only operators and owners can see credentials.</p>
      ) : (
        <Skeleton rows={3} />
      )}
    </Page>
  )
}
