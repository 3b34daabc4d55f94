import { formatCost, formatDuration, formatSize } from '../../../base/quantities.ts'
import type { NotRanked, Ranked, Summary } from '../../ranking/contest-summary.ts'
import { checkColumns } from '../contest-columns.ts'
import { pageTable } from '../draw-tables.ts'
import { againWords, endedWords, formatTokens } from '../result-text.ts'
import { html, type Markup } from './markup.ts'
import { agentWords, scroll } from './page-parts.ts'

/** Returns the participants that are missing from the leaderboard, with the reasons. */
export function failures({ notRanked }: Summary): Markup {
  const section = (title: string, note: string, list: readonly NotRanked[]): Markup | null =>
    list.length === 0
      ? null
      : html`<section class="stack"><h2>${title}</h2><p class="soft">${note}</p>
${list.map((each) => html`<div class="aside"><h3>${each.name} <span class="soft small">${agentWords(each)}</span></h3><p>${endedWords(each)}</p>${again(each)}</div>`)}</section>`
  return html`${section(
    'Could not be run',
    'These runs did not finish. That says nothing about the work, so it has no score.',
    notRanked.filter((each) => each.failedToRun),
  )}
${section(
  'Ran, but delivered nothing that counts',
  'These runs ended by themselves, but did not leave the requested files.',
  notRanked.filter((each) => !each.failedToRun),
)}`
}

function again(each: NotRanked): Markup | null {
  const words = againWords(each)
  return words === null ? null : html`<p class="soft">${words}</p>`
}

export function checks(summary: Summary): Markup | null {
  const { ranking: rows } = summary
  if (rows.every((each) => each.checks.results.length === 0)) return null
  const printed = rows.flatMap((row) =>
    row.checks.results
      .filter((one) => one.result !== 'passed' && one.output !== '')
      .map(
        (one) =>
          html`<details class="card"><summary>What ${one.name} printed about ${row.name}</summary><pre class="pad">${one.output}</pre></details>`,
      ),
  )
  return html`<section class="stack"><h2>Checks</h2>${pageTable('Checks', checkColumns(summary), rows, { class: 'wrap' })}
${printed}</section>`
}

type Run = Ranked | NotRanked | Summary['judges'][number]

/** Returns the runs of each participant and judge: their number, the program, the hosts that were denied, and the paths of the files. */
export function runs(summary: Summary): Markup {
  const { ranking: ranked, notRanked, judges, round, judging } = summary
  const seals = new Map(ranked.map((each) => [each.name, each]))
  const link = (to: string, words: string): Markup => html`<a href="../${to.split('/').map(encodeURIComponent).join('/')}">${words}</a>`
  const participant = (each: Run): Markup => {
    const sealed = seals.get(each.name)
    return runRow(
      'participant',
      each,
      html`${sealed === undefined ? null : html`${link(`rounds/${round}/sealed/${each.name}/out.tar`, `archive (${count(sealed.files, 'file')}, ${formatSize(sealed.bytes)})`)} `}${each.attempts === 0 ? null : link(`rounds/${round}/${each.name}/attempts/${each.attempts}/`, 'logs')}`,
    )
  }
  const judge = (each: Run): Markup =>
    runRow('judge', each, each.attempts === 0 || judging === 0 ? null : link(`judging/${judging}/${each.name}/tasks/`, 'logs'))
  return html`<section class="stack"><h2>What ran</h2>${scroll('What ran')}<table class="wrap sortable"><thead><tr><th>Name</th><th>Role</th><th>Version</th><th>Level</th><th class="n">Attempts</th><th class="n">Time</th><th class="n">Tokens</th><th class="n">Cost</th><th>Denied</th><th>Records</th></tr></thead>
<tbody>${[...ranked, ...notRanked].map(participant)}${judges.map(judge)}</tbody></table></div>
${ranked.map(dropped)}${ranked.map(identity)}${ranked.map(orders)}${ranked.map(secrets)}</section>`
}

function runRow(role: string, each: Run, kept: Markup | null): Markup {
  const { durationMs, costUsd, tokens, denied } = each
  return html`<tr><th scope="row">${each.name}<br><span class="soft small">${agentWords(each)}</span></th><td>${role}</td><td>${each.version ?? '–'}</td><td>${each.posture ?? '–'}</td><td class="n" data-v="${each.attempts}">${each.attempts}</td>
<td class="n" data-v="${durationMs ?? ''}">${durationMs === null ? '–' : formatDuration(durationMs)}</td><td class="n" data-v="${tokens === null ? '' : tokens.input + tokens.output}">${formatTokens(tokens)}</td><td class="n" data-v="${costUsd ?? ''}">${formatCost(costUsd)}</td>
<td>${denied.length === 0 ? 'nothing' : denied.slice(0, 8).map((one) => html`<span class="block any">${one.host}${one.count > 1 ? ` ×${one.count}` : ''}</span>`)}${denied.length > 8 ? html`<span class="soft small">and ${denied.length - 8} more</span>` : null}</td><td class="kept">${kept}</td></tr>
`
}

function dropped(row: Ranked): Markup | null {
  if (row.droppedCount === 0) return null
  return html`<details class="card"><summary>Left out of the submission of ${row.name} (${row.droppedCount})</summary><pre class="pad">${row.dropped.map((each) => `${each.path}: ${each.why}\n`)}</pre></details>`
}

function identity({ name, identity: told }: Ranked): Markup | null {
  if (told === null || told.found.length === 0) return null
  const lines = told.found.map(({ path, line, what }) => `${path}${line === null ? '' : `:${line}`}: ${what}\n`)
  return html`<details class="card"><summary>Text that identifies ${name} (${told.found.length + told.more})</summary><pre class="pad">${told.isHidden ? 'Judges did not see this.\n' : null}${lines}${told.more > 0 ? `and ${told.more} more\n` : null}</pre></details>`
}

function orders({ name, orders: told }: Ranked): Markup | null {
  if (told === null || told.found.length === 0) return null
  const lines = told.found.map(({ path, line, text }) => `${path}:${line}: ${text}\n`)
  return html`<details class="card"><summary>Orders to judges from ${name} (${told.found.length + told.more})</summary><pre class="pad">${told.isHidden ? 'Judges did not see this.\n' : null}${lines}${told.more > 0 ? `and ${told.more} more\n` : null}</pre></details>`
}

/** Returns a warning about secrets in a submission, because the page itself contains the submissions. */
function secrets({ name, secrets: found }: Ranked): Markup | null {
  const all = (found?.findings.length ?? 0) + (found?.more ?? 0)
  if (all === 0) return null
  return html`<p class="aside">${name}: ${count(all, 'place')} in its submission ${all === 1 ? 'looks' : 'look'} like a secret. Check each before you share this page.</p>`
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
