import { Page } from '../../shell/page.tsx'
import { Addresses } from './addresses.tsx'
import { Appearance } from './appearance.tsx'
import { Discord } from './discord.tsx'
import { Notifications } from './notifications.tsx'
import { Server } from './server.tsx'
import { SignedIn } from './signed-in.tsx'
import { Webhooks } from './webhooks.tsx'

const parts = [
  ['addresses', 'Addresses'],
  ['notifications', 'Notifications'],
  ['discord', 'Discord'],
  ['webhooks', 'Webhooks'],
  ['appearance', 'Appearance'],
  ['you', 'You'],
  ['server', 'Server'],
] as const

export function Settings() {
  return (
    <Page title="Settings">
      <div className="stack lg">
        <nav className="chips" aria-label="Settings">
          {parts.map(([id, title]) => (
            <a key={id} className="chip" href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <Addresses />
        <Notifications />
        <Discord />
        <Webhooks />
        <Appearance />
        <SignedIn />
        <Server />
      </div>
    </Page>
  )
}
