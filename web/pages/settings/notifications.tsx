import { useState } from 'react'
import { deliveriesIn, notified, notify, switchedOff } from '../../notifications.ts'
import { Notice } from '../../parts/notice.tsx'
import { State } from '../../parts/state.tsx'
import { useStored } from '../../parts/stored.ts'
import { Foreign } from '../../parts/text.tsx'
import { clock } from '../../parts/words.ts'
import { Part } from './part.tsx'

/** Notifications of this browser: whether they are allowed and on, and whether the last one was shown. */
export function Notifications() {
  const isKnown = typeof Notification !== 'undefined'
  const [permission, setPermission] = useState(isKnown ? Notification.permission : 'denied')
  const [off, setOff] = useStored(switchedOff)
  const [kept] = useStored(notified)
  const last = deliveriesIn(kept)
  const test = (): void => notify({ id: 'test', title: 'Paddock', text: 'This is a test.', to: '/settings' })
  const isOn = permission === 'granted' && off === null
  return (
    <Part id="notifications" title="Notifications in this browser" about={<State of={isOn ? 'on' : 'off'} />}>
      {isKnown ? null : <Notice>This browser has no notifications, or gives them only to pages with TLS.</Notice>}
      {isKnown && permission === 'denied' ? (
        <Notice>The browser does not allow notifications of this page. Allow them in its settings of this site.</Notice>
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
          <label className="row grow">
            <input type="checkbox" checked={off === null} onChange={(event) => setOff(event.target.checked ? null : 'yes')} />
            <span className="grow">Notify me when something waits for an answer</span>
          </label>
          <button className="btn end" type="button" disabled={!isOn} onClick={test}>
            Send a test
          </button>
        </div>
      ) : null}
      {last.length === 0 ? (
        <p className="soft small">None was shown so far.</p>
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
