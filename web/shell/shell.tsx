import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useInbox } from '../inbox.ts'
import { useKeys } from '../parts/keys.ts'
import { Link } from '../parts/link.tsx'
import { go } from '../parts/page-address.ts'
import { Toast } from '../parts/toast.tsx'
import { wantFocus } from '../parts/wanted-focus.ts'
import { useMay } from '../who.ts'
import { Connection } from './connection.tsx'
import { onFind } from './find-in-page.ts'
import { KeyMap } from './key-map.tsx'
import { administration, type Place, work } from './menu-places.ts'
import { Palette } from './palette/palette.tsx'
import { ThemeButton } from './theme-button.tsx'

/** Views without their own place, with the places that lead to them. */
const within: Readonly<Record<string, string>> = { agents: 'fleet', suites: 'contests' }

/** The frame of every view: navigation, waiting questions, and whether the data is up to date. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [over, setOver] = useState<'palette' | 'keys' | null>(null)
  const [path] = useLocation()
  const here = path.split('/')[1] || 'fleet'
  useEffect(() => onFind(() => setOver('palette')), [])
  // A terminal uses the whole window. Its header leads back.
  const isAlone = here === 'sessions'
  const waiting = useInbox().data?.length ?? 0
  const isOwner = useMay('owner')
  const isSeen = ({ role }: Place): boolean => role === undefined || isOwner
  useKeys({
    'Ctrl k': () => setOver('palette'),
    '?': () => setOver('keys'),
    w: () => {
      if (here !== 'fleet') go('/fleet')
      wantFocus('prompt', here === 'fleet')
    },
    ...Object.fromEntries(
      [...work, ...administration].flatMap(({ key, name }) => (key === undefined ? [] : [[`g ${key}`, () => go(`/${name}`)]])),
    ),
  })
  const link = ({ name, title, icon }: Place) => (
    <Link key={name} to={`/${name}`} current={name === (within[here] ?? here)}>
      <i className={`i i-${icon}`} />
      {title}
      {name === 'inbox' && waiting > 0 ? (
        <span className="count hot">
          {waiting}
          <span className="sr"> waiting</span>
        </span>
      ) : null}
    </Link>
  )
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className={isAlone ? 'app whole' : 'app'}>
        <aside className="side">
          <Link className="brand" to="/fleet">
            <i className="i i-fence" />
            Paddock
          </Link>
          <button className="find" type="button" onClick={() => setOver('palette')}>
            <i className="i i-search" />
            Find …<kbd>Ctrl K</kbd>
          </button>
          <nav className="nav" aria-label="Work">
            {work.map(link)}
          </nav>
          <nav className="nav" aria-label="Administration">
            {administration.filter(isSeen).map(link)}
          </nav>
          <div className="foot">
            <Connection />
            <span className="row">
              <span className="cut grow">{location.host}</span>
              <ThemeButton />
            </span>
          </div>
        </aside>
        <div>{children}</div>
        <nav className="dock" aria-label="Main">
          {work.filter(({ name }) => name !== 'contests').map(link)}
          <Link to="/more" current={here === 'more'}>
            <i className="i i-more" />
            More
          </Link>
        </nav>
      </div>
      <Toast />
      {over === 'palette' ? <Palette onClose={() => setOver(null)} /> : null}
      {over === 'keys' ? <KeyMap onClose={() => setOver(null)} /> : null}
    </>
  )
}
