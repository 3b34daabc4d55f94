import { Link } from '../../parts/link.tsx'
import { find } from '../../shell/find-in-page.ts'
import { administration, type Place, work } from '../../shell/menu-places.ts'
import { Page } from '../../shell/page.tsx'
import { ThemeButton } from '../../shell/theme-button.tsx'
import { useMay, useWho } from '../../who.ts'
import { useMarks } from './use-marks.ts'

/** The places that do not fit into the bar on a phone. */
export function More() {
  const isOwner = useMay('owner')
  const who = useWho()
  const places = [...work.filter(({ name }) => name === 'contests'), ...administration]
  const marks = useMarks()
  const isSeen = ({ role }: Place): boolean => role === undefined || isOwner
  return (
    <Page title="More">
      <div className="card">
        <ul className="files">
          {places.filter(isSeen).map(({ name, title, icon }) => (
            <li key={name}>
              <i className={`i i-${icon}`} />
              <Link className="grow" to={`/${name}`}>
                {title}
              </Link>
              {marks[name] === undefined ? null : (
                <span className="mark bad">
                  <i className="i i-x" />
                  {marks[name]}
                </span>
              )}
              <i className="i i-right" />
            </li>
          ))}
          <li>
            <i className="i i-search" />
            <button className="link grow plainlink" type="button" onClick={find}>
              Find
            </button>
            <i className="i i-right" />
          </li>
          <li>
            <i className="i i-theme" />
            <span className="grow">Light or dark</span>
            <ThemeButton />
          </li>
        </ul>
      </div>
      <p className="soft small pad">
        {location.host}
        {who === null ? '' : ` · signed in as ${who.name} (${who.role})`}
      </p>
    </Page>
  )
}
