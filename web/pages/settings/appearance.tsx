import { type Look, looks } from '../../looks.ts'
import { keysOff } from '../../parts/keys.ts'
import { useStored } from '../../parts/stored.ts'
import { readerKey } from '../terminal/terminal-settings.ts'
import { Part } from './part.tsx'

const names = Object.keys(looks) as readonly Look[]

/** The settings of this browser. */
export function Appearance() {
  const [off, setOff] = useStored(keysOff)
  const [reader, setReader] = useStored(readerKey)
  return (
    <Part id="appearance" title="Appearance" about="this browser only">
      <div className="three">
        {names.map((each) => (
          <Choice key={each} of={each} />
        ))}
      </div>
      <label className="row">
        <input type="checkbox" checked={off === null} onChange={(event) => setOff(event.target.checked ? null : 'yes')} />
        Single-key shortcuts; <kbd>?</kbd> lists them
      </label>
      <label className="row">
        <input type="checkbox" checked={reader === 'true'} onChange={(event) => setReader(event.target.checked ? 'true' : null)} />
        Screen reader mode in terminals
      </label>
    </Part>
  )
}

function Choice({ of }: { readonly of: Look }) {
  const { title, key, values } = looks[of]
  const [kept, setKept] = useStored(key)
  const choose = (value: string): void => {
    if (value === '') delete document.documentElement.dataset[of]
    else document.documentElement.dataset[of] = value
    setKept(value === '' ? null : value)
  }
  return (
    <div className="field">
      <label htmlFor={of}>{title}</label>
      <select id={of} value={kept ?? ''} onChange={(event) => choose(event.target.value)}>
        {Object.entries(values).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
