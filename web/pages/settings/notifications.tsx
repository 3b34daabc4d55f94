import { useState } from 'react'
import { deliveriesIn, isOnBy, notified, notify, type Subject, subjects } from '../../notifications.ts'
import { Notice } from '../../parts/notice.tsx'
import { clock } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { useStored } from '../../parts/stored.ts'
import { Foreign } from '../../parts/text.tsx'
import { Part } from './part.tsx'

const names = Object.keys(subjects) as readonly Subject[]

/** The notifications of this browser: whether they are allowed and on, and whether the last one was shown. */
export function Notifications() {
  const isKnown = typeof Notification !== 'undefined'
  const [permission, setPermission] = useState(isKnown ? Notification.permission : 'denied')
  const [kept] = useStored(notified)
  const last = deliveriesIn(kept)
  const test = (): void => notify({ id: 'test', title: 'Paddock', text: 'This is a test.', to: '/settings' })
  const isOn = permission === 'granted'
  return (
    <Part id="notifications" title="Notifications in this browser" about={<State of={isOn ? 'on' : 'off'} />}>
      {isKnown ? null : <Notice>This browser does not support notifications, or only allows them over HTTPS.</Notice>}
      {isKnown && permission === 'denied' ? (
        <Notice>The browser blocks notifications from this page. Allow them in its settings for this site.</Notice>
      ) : null}
      {permission === 'default' ? (
        <p>
          <button className="btn main" type="button" onClick={() => void Notification.requestPermission().then(setPermission)}>
            Allow notifications
          </button>
        </p>
      ) : null}
      {permission === 'granted' ? (
        <div className="row">
          <div className="stack grow">
            {names.map((each) => (
              <Choice key={each} of={each} />
            ))}
          </div>
          <button className="btn end" type="button" disabled={!isOn} onClick={test}>
            Send a test
          </button>
        </div>
      ) : null}
      {last.length === 0 ? (
        <p className="soft small">No notifications have been shown yet.</p>
      ) : (
        <ul className="plainlist small">
          {last.slice(0, 5).map((each) => (
            <li key={each.id}>
              {clock(each.at)}: {each.outcome === 'failed' ? 'the browser did not show it' : each.outcome}, “<Foreign>{each.text}</Foreign>”
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function Choice({ of }: { readonly of: Subject }) {
  const { key, isOff, title } = subjects[of]
  const [kept, setKept] = useStored(key)
  return (
    <label className="row">
      <input type="checkbox" checked={isOnBy(of, kept)} onChange={(event) => setKept(event.target.checked === isOff ? null : 'yes')} />
      {title}
    </label>
  )
}
