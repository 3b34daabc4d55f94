import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useInbox } from './inbox.ts'
import { Missing, Trouble } from './parts/notice.tsx'
import { Page } from './shell/page.tsx'

/** Returns a view that is loaded as a separate chunk. */
const view = <Module extends object>(load: () => Promise<Module>, name: keyof Module) =>
  lazy(async () => ({ default: (await load())[name] as ComponentType<Record<string, string | undefined>> }))

const views: readonly (readonly [path: string, View: ReturnType<typeof view>])[] = [
  ['/fleet', view(() => import('./pages/fleet/fleet.tsx'), 'Fleet')],
  ['/inbox/:id?', view(() => import('./pages/inbox/inbox.tsx'), 'Inbox')],
  ['/agents/:name/:tab?', view(() => import('./pages/agent/agent.tsx'), 'Agent')],
  ['/sessions/:id', view(() => import('./pages/terminal/terminal-page.tsx'), 'TerminalPage')],
  ['/new-agent', view(() => import('./pages/manifest/new-agent.tsx'), 'NewAgent')],
  ['/jobs', view(() => import('./pages/jobs/jobs.tsx'), 'Jobs')],
  ['/jobs/:id/review', view(() => import('./pages/review/review.tsx'), 'Review')],
  ['/jobs/:id', view(() => import('./pages/job/job.tsx'), 'Job')],
  ['/egress', view(() => import('./pages/egress/egress.tsx'), 'Egress')],
  ['/credentials', view(() => import('./pages/credentials/credentials.tsx'), 'Credentials')],
  ['/audit', view(() => import('./pages/audit/audit.tsx'), 'Audit')],
  ['/guarantees', view(() => import('./pages/guarantees/guarantees.tsx'), 'Guarantees')],
  ['/usage', view(() => import('./pages/usage/usage.tsx'), 'Usage')],
  ['/contests', view(() => import('./pages/contests/contests.tsx'), 'Contests')],
  ['/suites/comparison', view(() => import('./pages/contests/suite-comparison.tsx'), 'SuiteComparison')],
  ['/suites/contest', view(() => import('./pages/contests/suite-contest.tsx'), 'SuiteContest')],
  ['/suites', view(() => import('./pages/contests/suite.tsx'), 'Suite')],
  ['/contests/:id/work/:participant', view(() => import('./pages/contests/work.tsx'), 'Work')],
  ['/contests/:id', view(() => import('./pages/contests/contest.tsx'), 'Contest')],
  ['/more', view(() => import('./pages/more/more.tsx'), 'More')],
  ['/settings', view(() => import('./pages/settings/settings.tsx'), 'Settings')],
]

export function Routes() {
  return (
    <Old>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <Home />
          </Route>
          {views.map(([path, View]) => (
            <Route key={path} path={path}>
              {(params) => <View {...(params as Record<string, string | undefined>)} />}
            </Route>
          ))}
          <Route>
            <Page title="Nothing here">
              <Missing problem="There is no page at this address." back={{ to: '/fleet', title: 'Show the fleet' }} />
            </Page>
          </Route>
        </Switch>
      </Suspense>
    </Old>
  )
}

/** Redirects to the fleet, or on a phone to the inbox if something waits. */
function Home() {
  const isPhone = matchMedia('(max-width: 45rem)').matches
  const { data, problem } = useInbox()
  if (isPhone && data === null && problem === null) return null
  return <Redirect to={isPhone && data !== null && data.length > 0 ? '/inbox' : '/fleet'} replace />
}

/** Catches errors of views: a chunk of an old page that the server no longer has, or a bug. */
class Old extends Component<{ readonly children: ReactNode }, { readonly problem: Error | null }> {
  override state: { readonly problem: Error | null } = { problem: null }

  static getDerivedStateFromError(problem: Error) {
    return { problem }
  }

  override render(): ReactNode {
    const { problem } = this.state
    if (problem === null) return this.props.children
    const isOld = /dynamically imported module|module script/i.test(problem.message)
    return (
      <Page title="This page cannot be shown">
        <Trouble
          problem={
            isOld
              ? 'This page could not be loaded. The server is unreachable, or has a different version than this page.'
              : `This page failed: ${problem.message}`
          }
        />
        <p>
          <button className="btn main" type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </Page>
    )
  }
}
