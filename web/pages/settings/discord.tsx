import type { operations } from '../../../src/client/api.ts'
import { dataOf, useData } from '../../data.ts'
import { api } from '../../page-session.ts'
import { Commands } from '../../parts/commands.tsx'
import { Link } from '../../parts/link.tsx'
import { type Column, List } from '../../parts/list.tsx'
import { Notice, Pending } from '../../parts/notice.tsx'
import { many } from '../../parts/shown-text.ts'
import { State } from '../../parts/state.tsx'
import { Foreign } from '../../parts/text.tsx'
import { useMay } from '../../who.ts'
import { Part } from './part.tsx'

const words = { off: 'off', connecting: 'starting', ready: 'connected', broken: 'broken' } as const

type Channel = operations['getDiscord']['responses']['200']['content']['application/json']['channels'][number]

const columns: readonly Column<Channel>[] = [
  { title: 'Agent', isName: true, cell: ({ agent }) => <Link to={`/agents/${agent}/jobs`}>{agent}</Link> },
  {
    ...{ title: 'Channel', look: 'wide' },
    cell: ({ channel, posts }) => (
      <>
        <code>{channel}</code>
        {posts.problem === null ? null : <Foreign className="small block bad">{posts.problem}</Foreign>}
      </>
    ),
  },
  {
    title: 'Users',
    cell: ({ users, posts }) => (
      <span className="soft small">
        {many(users.length, 'user')}
        {posts.waiting === 0 ? '' : ` · ${many(posts.waiting, 'message waiting', 'messages waiting')}`}
      </span>
    ),
  },
]

/** The Discord bot, and the agent of each channel. */
export function Discord() {
  const isOwner = useMay('owner')
  const discord = useData(['discord'], async () => dataOf(await api.GET('/api/v1/discord')), { wanted: isOwner, everyMs: 15_000 })
  const { data } = discord
  return (
    <Part id="discord" title="Discord" about="jobs from a chat">
      {isOwner ? <Pending {...discord} rows={2} /> : <p className="soft small">Only owners can see the Discord setup.</p>}
      {data === null ? null : (
        <>
          <p className="row">
            <State of={words[data.state]} />
            {data.bot === null ? <span className="soft">No bot is connected.</span> : <Foreign className="b">{data.bot.name}</Foreign>}
          </p>
          {data.problem === null ? null : (
            <Notice tone="bad">
              <Commands in={data.problem} />
            </Notice>
          )}
          <List query={discord} items={data.channels} keyOf={({ channel }) => channel} columns={columns} empty={null} />
          <p className="soft small">
            To set it up, run on the server’s machine: <code>paddock discord --help</code>
          </p>
        </>
      )}
    </Part>
  )
}
