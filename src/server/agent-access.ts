import { PaddockError } from '../base/errors.ts'
import type { AgentAccess } from '../fleet/discord/discord-access.ts'
import { type AgentQuestion, isShownWhole } from '../fleet/discord/question-post.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Agent } from '../fleet/store/agent-store.ts'
import type { Job } from '../fleet/store/job-records.ts'
import type { Caller } from './access/caller.ts'
import { cellQuestions } from './cell-questions.ts'
import type { OwnCommand } from './own-command.ts'
import type { Questions } from './routes/approval-routes.ts'
import type { Giving } from './routes/job-input.ts'

export interface AccessDeps {
  readonly fleet: Fleet
  readonly giving: Giving
  readonly command: OwnCommand
  readonly questions: Pick<Questions, 'open'>
}

/** Returns the access of a channel's users: that of an operator, but only to one agent, and without jobs of leases. */
export function agentAccess({ fleet, giving, command, questions }: AccessDeps): AgentAccess {
  const own = (agent: Agent, id: string): Job => {
    const job = fleet.jobs.get(id)
    if (job !== null && job.agent === agent.id && job.lease === null) return job
    throw new PaddockError('NOT_FOUND', `${agent.name} has no job ${id}.`)
  }
  const running = (agent: Agent): Job => {
    const states = ['running', 'waiting'] as const
    const jobs = states.flatMap((state) => fleet.jobs.list({ agent: agent.id, state }, { before: null, limit: 100 }))
    const found = jobs.filter(({ lease }) => lease === null)
    const [newest] = found.sort((one, other) => other.number - one.number)
    if (newest === undefined) throw new PaddockError('NOT_FOUND', `No job of ${agent.name} runs.`)
    return newest
  }
  const ofJobs = (agent: Agent): readonly AgentQuestion[] =>
    fleet.questions.list().flatMap(({ id, kind, job: of, text }) => {
      const job = fleet.jobs.get(of)
      return job?.agent === agent.id && job.lease === null ? [{ id, kind, job: of, text }] : []
    })
  const ofCells = async (agent: Agent): Promise<readonly AgentQuestion[]> =>
    cellQuestions(fleet, await questions.open()).flatMap(({ id, job, wish }) =>
      job?.agent === agent.id && job.lease === null ? [{ id, kind: 'egress', job: job.id, text: wish }] : [],
    )
  return {
    give: (agent, prompt, { name, key }) => giving.give(callerNamed(name), { agent: agent.id, labels: [], prompt }, key),
    async message(agent, id, prompt, { name, key }) {
      own(agent, id)
      return giving.message(callerNamed(name), id, prompt, key)
    },
    async stop(agent, id) {
      const job = id === null ? running(agent) : own(agent, id)
      fleet.cancel(job.id)
      return job.id
    },
    questions: async (agent, cells) => [...ofJobs(agent), ...(cells ? await ofCells(agent) : [])],
    async answer(agent, id, text, by) {
      const asked = ofJobs(agent).find((each) => each.id === id)
      if (asked?.kind === 'ask') {
        fleet.questions.answer(id, { allowed: true, text }, by)
        return 'answered'
      }
      const [, verdict = '', why = ''] = /^(allow|deny)\b[\s,:.]*(.*)$/is.exec(text) ?? []
      const allowed = verdict.toLowerCase() === 'allow'
      const isCall = asked !== undefined || jobQuestion.test(id)
      if (isCall) {
        // A call that no longer waits leads to an error that names who answered it.
        if (asked === undefined) own(agent, id.replace(jobQuestion, '$1'))
        else if (verdict === '') throw noVerdict(text)
        else if (allowed) requireWhole(asked, agent)
        fleet.questions.answer(id, { allowed, text: allowed ? '' : why }, by)
        return allowed ? 'allowed' : 'denied'
      }
      const ofCell = (await ofCells(agent)).find((each) => each.id === id)
      if (ofCell === undefined) throw new PaddockError('NOT_FOUND', `No question ${id} of ${agent.name} waits for an answer.`)
      if (verdict === '') throw noVerdict(text)
      if (allowed) requireWhole(ofCell, agent)
      await command(allowed ? 'approvals allow' : 'approvals deny', ['--for', 'once', '--', id])
      return allowed ? 'allowed once' : 'denied once'
    },
  }
}

/** The pattern of a question's id: the id of its job, and a suffix. */
const jobQuestion = /^(j-[0-9a-z]+)-[0-9A-Za-z]+$/

const noVerdict = (text: string): PaddockError => new PaddockError('BAD_INPUT', `${text.slice(0, 40)} is neither allow nor deny.`)

/** Throws NOT_ALLOWED if the post for a question shows only a part of it. */
function requireWhole(question: AgentQuestion, agent: Agent): void {
  if (!isShownWhole(question, agent.name))
    throw new PaddockError(
      'NOT_ALLOWED',
      `The post shows only a part of ${question.id}. Allow it in the inbox of the web page, or with paddock inbox and paddock answer.`,
    )
}

function callerNamed(name: string): Caller {
  return { kind: 'token', name, role: 'operator', lease: null, credential: name, account: name }
}
