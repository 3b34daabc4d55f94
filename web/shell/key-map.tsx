import { Dialog } from '../parts/dialog.tsx'
import { begun } from '../parts/shown-text.ts'

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, does: string])[]])[] = [
  [
    'Anywhere',
    [
      ['Ctrl K', 'find or run'],
      ['?', 'these keys'],
      ['w', 'new job'],
      ['Esc', 'close'],
    ],
  ],
  [
    'Go to',
    [
      ['g i', 'inbox'],
      ['g f', 'fleet'],
      ['g j', 'jobs'],
      ['g c', 'contests'],
      ['g e', 'egress'],
      ['g u', 'usage'],
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
      ['d', 'review the changes'],
    ],
  ],
  [
    'Changes',
    [
      ['j k', 'next or previous file'],
      ['x', 'select the file'],
      ['Ctrl ⏎', 'apply'],
    ],
  ],
  ['Manifest', [['Ctrl S', 'save']]],
  [
    'Terminal',
    [
      ['Ctrl ⇧ ↑', 'leave it, then:'],
      ['d', 'detach'],
      ['/', 'search'],
    ],
  ],
]

export function KeyMap({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keys" onClose={onClose} wide>
      <header className="row bar2">
        <h2>Keys</h2>
        <span className="soft small grow">Single keys have no effect while you type. You can turn them off in the settings.</span>
        <button className="btn plain sq" type="button" aria-label="Close" autoFocus onClick={onClose}>
          <i className="i i-close" />
        </button>
      </header>
      <div className="keylist">
        {groups.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul className="plainlist">
              {keys.map(([each, does]) => (
                <li key={each}>
                  <span>{begun(does)}</span>
                  <span className="nw">
                    {each.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
