import { keysOff } from '../../parts/keys.ts'
import { useStored } from '../../parts/stored.ts'
import { Part } from './part.tsx'

const themes = [
  ['', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const
/** Terminals read it when they open. */
const screenReader = 'paddock.screen-reader'

/** What this browser keeps for itself. */
export function Appearance() {
  const [theme, setTheme] = useStored('theme')
  const [off, setOff] = useStored(keysOff)
  const [reader, setReader] = useStored(screenReader)
  const choose = (value: string): void => {
    if (value === '') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = value
    setTheme(value === '' ? null : value)
  }
  return (
    <Part id="browser" title="This browser" about="kept only here">
      <div className="field w-md">
        <label htmlFor="theme">Theme</label>
        <select id="theme" value={theme ?? ''} onChange={(event) => choose(event.target.value)}>
          {themes.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <label className="row">
        <input type="checkbox" checked={off === null} onChange={(event) => setOff(event.target.checked ? null : 'yes')} />
        Single keys run actions; <kbd>?</kbd> lists them
      </label>
      <label className="row">
        <input type="checkbox" checked={reader !== null} onChange={(event) => setReader(event.target.checked ? 'yes' : null)} />
        Terminals speak to a screen reader
      </label>
    </Part>
  )
}
