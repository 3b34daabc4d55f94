import { Dialog } from '../parts/dialog.tsx'

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, does: string])[]])[] = [
  [
    'Anywhere',
    [
      ['Ctrl K', 'find or run'],
      ['?', 'these keys'],
      ['w', 'give work'],
      ['g i', 'go to the inbox'],
      ['g f', 'go to the fleet'],
      ['g j', 'go to the jobs'],
      ['g c', 'go to the contests'],
      ['g e', 'go to egress'],
      ['g u', 'go to usage'],
      ['Esc', 'close'],
    ],
  ],
  [
    'Lists',
    [
      ['j k', 'move'],
      ['⏎', 'open'],
      ['x', 'select agents'],
      ['/', 'filter'],
      ['r', 'sort again, show new rows'],
    ],
  ],
  [
    'Inbox',
    [
      ['y', 'allow once'],
      ['c', 'allow for this cell'],
      ['a', 'always allow'],
      ['n', 'deny'],
      ['o', 'open its job'],
    ],
  ],
  [
    'Job',
    [
      ['m', 'write a message'],
      ['f', 'fold or unfold all calls'],
      ['e E', 'next or previous failed call'],
      ['G', 'follow the end'],
      ['d', 'look at the changes'],
    ],
  ],
  [
    'Changes',
    [
      ['j k', 'next or previous file'],
      ['x', 'tick the file'],
      ['Ctrl ⏎', 'apply'],
    ],
  ],
  [
    'Terminal',
    [
      ['Ctrl ⇧ ↑', 'leave it; then:'],
      ['d', 'detach'],
      ['/', 'search'],
    ],
  ],
]

export function KeyMap({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose} wide>
      <div className="keylist">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul className="plainlist">
              {keys.map(([each, does]) => (
                <li key={each}>
                  <span>{does}</span>
                  <kbd>{each}</kbd>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <footer>
        <span className="grow">Single keys do nothing while you type. Settings can turn them off.</span>
        <button className="btn" type="button" autoFocus onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  )
}
