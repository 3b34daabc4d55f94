import { section } from '../../report/contest-leaderboard.ts'
import { markdownTable } from '../../report/draw-tables.ts'
import { cell, paragraph } from '../../report/report-markdown.ts'
import { briefColumns, changedBriefs, gateWords, measureColumns, measureRows, sameWords, trendColumns } from './comparison-columns.ts'
import type { Comparison, GateResult } from './comparison-schema.ts'
import { runNames } from './comparison-sentence.ts'

/** Returns comparison.md (GitHub Flavored Markdown), which also suits the summary of a CI job. */
export function comparisonMarkdown(of: Comparison): string {
  const { suite, sentences, gates, isFailed, leftOut, notes, trend, generatedAt } = of
  const { changed, same } = changedBriefs(of)
  const lines = [
    `# ${cell(suite)}: ${runNames(of).map(cell).join(' → ')}`,
    '',
    ...sentences.flatMap((each) => [`**${paragraph(each)}**`, '']),
    ...markdownTable(measureColumns, measureRows(of)),
    '',
    ...(gates.length === 0
      ? []
      : [`## ${isFailed ? 'Gates: failed' : 'Gates'}`, '', ...gates.map((each) => `- ${cell(gateWords(each, of))}`), '']),
    ...section('By brief, the worst first', briefColumns, changed),
    ...(same === 0 ? [] : [sameWords(same), '']),
    ...section('Runs', trendColumns, trend),
    ...leftOut.map(({ brief, why }) => `- ${cell(`${brief} is left out: ${why}`)}`),
    ...notes.map((each) => `- ${cell(each)}`),
    '',
    `${generatedAt}.`,
    '',
  ]
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}

/** Returns comparison.csv (RFC 4180): one line for each measure of each participant. */
export function comparisonCsv(of: Comparison): string {
  const head = ['participant', 'measure', 'basis', 'briefs', 'base', 'new', 'difference', 'low', 'high', 'p_worse', 'result', 'finds']
  const lines = measureRows(of).map(({ participant, measure: m }) => [
    participant,
    m.name,
    m.basis,
    m.briefs,
    m.base,
    m.new,
    m.difference,
    m.interval?.low ?? '',
    m.interval?.high ?? '',
    m.pWorse ?? '',
    m.verdict,
    m.finds ?? '',
  ])
  return [head, ...lines].map((line) => `${line.map(csvField).join(',')}\r\n`).join('')
}

/** Returns a field. Names are safe names, so that none begins a formula of a spreadsheet. */
function csvField(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns junit.xml. Each gate of each participant is a test case. */
export function comparisonJunit(of: Comparison): string {
  const { suite, gates, generatedAt, sentences } = of
  const count = (state: GateResult['state']): number => gates.filter((each) => each.state === state).length
  const counts = `tests="${gates.length}" failures="${count('failed')}" errors="${count('untested')}" skipped="0" time="0"`
  const cases = gates.map((each) => {
    const open = `    <testcase classname="${xml(`${suite}.${each.participant}`)}" name="${xml(each.gate)}" time="0"`
    if (each.state === 'passed') return `${open}/>`
    const [tag, type] = each.state === 'failed' ? ['failure', 'Regression'] : ['error', 'NotTested']
    const said = sentences.find((sentence) => sentence.includes(each.participant)) ?? ''
    return `${open}>\n      <${tag} type="${type}" message="${xml(each.why ?? said)}">${xml(gateWords(each, of))}\n${xml(said)}</${tag}>\n    </testcase>`
  })
  const name = xml(`${suite}: ${runNames(of).join(' to ')}`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${name}" ${counts} timestamp="${generatedAt.slice(0, 19)}" hostname="localhost">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Returns text for XML 1.0, without the characters that it cannot contain. */
function xml(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
  return allowed
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}
