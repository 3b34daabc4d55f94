import { useState } from 'react'
import type { operations } from '../../../src/client/api.ts'
import { changed, dataOf } from '../../data.ts'
import { useAct } from '../../parts/act.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Trouble } from '../../parts/notice.tsx'
import { Foreign } from '../../parts/text.tsx'
import { Ago } from '../../parts/time.tsx'
import { api } from '../../session.ts'
import { SetSecret } from './set-secret.tsx'

type Entry = operations['listVault']['responses']['200']['content']['application/json']['items'][number]

export function Secret({ name, hosts, place, updatedAt }: Entry) {
  const [isSetting, setSetting] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const remove = useAct(async () => {
    dataOf(await api.DELETE('/api/v1/vault/{name}', { params: { path: { name } } }))
    setAsked(false)
    changed(['vault'])
  })
  return (
    <tr>
      <th scope="row">
        <code>
          <Foreign>{name}</Foreign>
        </code>
        {remove.problem === null ? null : <Trouble problem={remove.problem} />}
      </th>
      <td className="wide soft">
        <code className="xs any">
          <Foreign>{placeText(place)}</Foreign>
        </code>
      </td>
      <td className="wide">
        <code className="xs any">
          <Foreign>{hosts.join(', ')}</Foreign>
        </code>
      </td>
      <td className="soft hide">
        <Ago at={updatedAt} /> ago
      </td>
      <td className="wide">
        <span className="row">
          <button className="btn" type="button" onClick={() => setSetting(true)}>
            Replace
          </button>
          <button className="btn bad" type="button" onClick={() => setAsked(true)}>
            Remove …
          </button>
        </span>
        {isSetting ? (
          <Dialog label={`Replace ${name}`} onClose={() => setSetting(false)}>
            <div className="pad stack">
              <h2>Replace {name}</h2>
              <SetSecret name={name} onDone={() => setSetting(false)} />
            </div>
          </Dialog>
        ) : null}
        {isAsked ? (
          <Confirm
            title={`Remove ${name} from the vault?`}
            act={`Remove ${name}`}
            isSending={remove.isSending}
            onAct={() => remove.run()}
            onClose={() => setAsked(false)}
          >
            <p>Its value is deleted. Agents whose manifests use it will no longer start.</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  )
}

function placeText(place: Entry['place']): string {
  if (place === undefined) return 'where the agent puts it'
  if (place.in === 'basic') return `basic:${place.user ?? ''}`
  return `${place.in}:${place.name ?? ''}${place.scheme === undefined ? '' : `=${place.scheme}`}`
}
