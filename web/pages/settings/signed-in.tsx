import { signOut } from '../../page-session.ts'
import { useAct } from '../../parts/act.ts'
import { Pending, Trouble } from '../../parts/notice.tsx'
import { go } from '../../parts/page-address.ts'
import { roleWords } from '../../parts/role-text.ts'
import { useWhoLoaded } from '../../who.ts'
import { Part } from './part.tsx'

export function SignedIn() {
  const who = useWhoLoaded()
  const out = useAct(async () => {
    await signOut()
    go('/login')
  })
  return (
    <Part id="you" title="You">
      <Pending {...who} rows={1} />
      {who.data === null ? null : (
        <dl className="kv">
          <dt>Signed in as</dt>
          <dd>
            <code>{who.data.name}</code>
            <span className="soft small block">
              Jobs and the audit log name you so. For another name, sign in with a link of <code>paddock open --name NAME</code>
            </span>
          </dd>
          <dt>Role</dt>
          <dd>
            {who.data.role}: {roleWords[who.data.role]}
          </dd>
        </dl>
      )}
      {out.problem === null ? null : <Trouble problem={out.problem} />}
      <p>
        <button className="btn" type="button" disabled={out.isSending} onClick={() => out.run()}>
          {out.isSending ? 'Signing out …' : 'Sign out'}
        </button>
      </p>
    </Part>
  )
}
