import { readableLines } from './readable-line.ts'

/** An order to the judge in a submission. */
export interface FoundOrder {
  readonly path: string
  /** The line, counted from 1. An order over several lines has one match for each. */
  readonly line: number
  /** The line without invisible characters and decoded, at most 200 characters of it. */
  readonly text: string
}

const longestText = 200
/** The number of lines that one order may be wrapped over. */
const mostLines = 3
/** How many characters may be between the reader that is addressed and what is demanded. */
const mostBetween = 300

const grading = '(?:judg|grad|review|evaluat|assess|scor|rat|rank|mark|compar)'
const readers = [
  '(?:judge|grader|reviewer|evaluator|assessor|examiner|rater|scorer|referee|juror|marker)s?|jury|judging panel',
  `(?:ais?|llms?|(?:language |ai )?models?|(?:ai )?assistants?|agents?|bots?|chatbots?)(?= (?:that|which|who|must|should|shall|please|reading|asked|${grading}))`,
  '(?:an?|the|any|dear|to|for|all) (?:ais?|llms?|(?:large )?language models?|ai models?|ai assistants?|chatbots?)',
  'automat(?:ed|ic) (?:judg\\w*|grad\\w*|review\\w*|evaluat\\w*|assess\\w*|scor\\w*)',
  `(?:the person|you|those|any(?:one|body)|everyone|who(?:ever)?) (?:who |that )?(?:(?:is|are|will be|must|to) )?${grading}(?:e|es|s|ing|ge|ges|ging|e?ments?)?(?= (?:this|these|the|our|it))`,
]
const ignore = '(?:ignore|disregard|forget|override|bypass|set aside|skip|do not (?:use|apply|follow)|don.t (?:use|apply|follow))'
const earlier =
  '(?:(?:all|any|every|the|your|of|these|those|other) ){0,3}(?:previous|prior|earlier|preceding|above|original|former|system)(?: (?:system|grading|judging))?'
const earlierOrders = `${ignore} ${earlier} (?:instruction|prompt|rule|direction|guideline|order|message|criteri)\\w*`
const addressed = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${readers.join('|')})(?![\\p{L}\\p{N}_])|${earlierOrders}`, 'giu')

const noun =
  '(?:submission|work|entry|solution|project|repository|repo|implementation|contribution|deliverable|contestant|participant|candidate|proposal)'
const work = `(?:(?:this|our|my|the present|the current|the) (?:[\\w-]+ )?${noun}(?![\\w-])(?: [a-h](?![\\w-]))?|this one)`
const it = `(?:${work}|(?:it|this|us|me)(?= (?:an?|the|as|at|in|with|full|top|max\\w*|perfect|high\\w*|best|first|excellent|better|superior|ten|five|a hundred|\\d)|\\s*[.,!;:)"']|\\s*$))`
const near = '[^.!?;]{0,70}?'
/** A verb is a demand only as an imperative or after a word such as "must". */
const asDemand =
  '(?<=(?:^|[,:;.!?()"\'\\-–—>|{}\\[\\]=]|(?<![\\p{L}])(?:and|or|then|must|should|shall|will|to|please|always|just|simply|now|so|therefore|you|instead|only|also|directly|doubt))\\s*)'
const [high, mark] = [
  '(?:highest|top|maximum|maximal|max|full|perfect|best|excellent|topmost|outstanding|first)',
  '(?:scores?|ratings?|marks?|grades?|points?|rank|place|credit|evaluation|assessment|verdict|prize|end of (?:the|each|every|your) scale|of (?:the|each|every|your) scale|value|number|stars)',
]
const number =
  '(?:(?:10|100|5|20|ten|a hundred|five)(?: ?(?:/|out of|of) ?(?:10|100|5|20|ten|a hundred|five)|%| points| stars| marks| percent)|a ten|a 10|an? a\\+)'
const topMark = `(?:${high},? (?:[\\w-]+ ){0,2}?${mark}|top of (?:the|each|every|your) scale|${number})`
const topPlace = `(?:${topMark}|(?:as |the |a )?(?:best|first|top|winner|winning|excellent|perfect|better|superior|flawless|outstanding|highest|higher|number one)|at the top|above (?:all|every|the|any))`
const give = '(?:give|award|assign|grant|record|enter|put|write|report|output|return|set|choose|use)'
const rate = '(?:rate|score|grade|rank|mark|judge|deem|consider|declare|treat|place|name|regard|list|evaluate)'
const prefer = '(?:prefer|favou?r|vote for|side with|pick|choose|select|crown)'
const demands = [
  `${asDemand}${give} (?:[\\w'-]+ ){0,2}?${it}${near}${topMark}`,
  `${asDemand}${give} ${near}${topMark}${near}(?:to|for|on|in|of) ${it}`,
  `${asDemand}${rate} (?:[\\w'-]+ ){0,2}?${it}${near}${topPlace}`,
  `${asDemand}${prefer} (?:[\\w'-]+ ){0,2}?(?:${work}(?= (?:to|over|above|as|in|whenever|every|instead|and|regardless|no matter)|\\s*[.,!;:)"']|\\s*$)|(?:it|this|us|me) (?:to|over|above|as the (?:winner|best)|in (?:all|every|each)))`,
  `${work} (?:must|should|shall|has to|is to|needs to|ought to|deserves|will|can only|always)(?: to)? (?:be |receive |get |have |win |earn |come )?${near}${topPlace}`,
  `(?:do not|don.t|must not|should not|never|not to|may not|no) (?:deduct|penali[sz]\\w*|subtract|lower|downgrade|mark down|criticis\\w*|criticiz\\w*)${near}${it}`,
  `${asDemand}(?:${give}|${rate}) ${near}(?:other|competing|rival|remaining) (?:${noun}|submissions|entries|works|solutions|ones)${near}(?:lower|lowest|zero|minimum|worst|bottom|below)`,
  `${asDemand}${ignore} (?:the|your|this|any|all|every) (?:[\\w-]+ )?(?:rubric|scoring criteria|grading criteria|judging criteria|scale)(?: and \\w+)?(?= (?:for|when|while|in|and|with|entirely|completely)|\\s*[.,!;:)"']|\\s*$)`,
  `${earlierOrders}(?=.{0,160}(?:${topMark}|${prefer} ${it}|${rate} ${it}${near}${topPlace}))`,
]
const demanded = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${demands.join('|')})`, 'giu')
/** A rating under a condition is a rule for grading, unless the condition is only that somebody grades. */
const condition =
  /(?<![\p{L}])(?:(?:if|when|whenever|where|unless|only if|provided|whether|once|as long as)(?![\p{L}])(?! (?:you|an? |any |two |the two |asked|comparing|compared|in doubt|judging|grading|reviewing|rating|scoring|evaluating|possible|the (?:judge|grader|reviewer|evaluator|model)|it is compared))|(?:from|between) (?:-?\d+|zero|one) (?:\([^)]*\) )?(?:to|and|through)(?![\p{L}])|(?:that|which|who) (?:meets?|passes|satisf|fulfil|fails|solves|performs))/iu

/** Words that every order contains, as a fast test before the patterns above. */
const someReader =
  /judg|grad|review|evaluat|assess|examin|rater|rating|scor|referee|jur|mark|rank|\bai|llm|model|assistant|agent|bot|compar|ignore|disregard|forget|override|bypass|set aside|skip|do not|don.t/iu
const someWork = new RegExp(`${noun}|\\b(?:it|this|us|me|other|others|competing|rival|remaining|rubric|criteria|scale)\\b`, 'iu')

/** Returns the lines of a text that order a judge how to rate this work, each line once. */
export function findOrders(path: string, text: string): readonly FoundOrder[] {
  const lines = readableLines(text).map((line) => ({ ...line, reads: someReader.test(line.text), works: someWork.test(line.text) }))
  const found = new Map<number, string>()
  for (let last = 0; last < lines.length; last += 1) {
    let [joined, reads, works] = ['', false, false]
    for (let first = last; first >= Math.max(0, last - mostLines + 1); first -= 1) {
      const line = lines[first]
      if (line === undefined || line.text === '' || found.has(first)) break
      joined = first === last ? line.text : `${line.text}${lines[first + 1]?.isContinued === true ? '' : ' '}${joined}`
      reads ||= line.reads
      works ||= line.works
      const at = reads && works ? placeOfOrder(joined) : null
      if (at === null) continue
      for (let each = first; each <= last; each += 1) found.set(each, excerpt(lines[each]?.text ?? '', first === last ? at : 0))
      break
    }
  }
  return [...found].map(([index, shown]) => ({ path, line: index + 1, text: shown }))
}

/** Returns the text with these lines emptied. The numbers of all lines stay. */
export function withoutOrders(text: string, found: readonly FoundOrder[]): string {
  const lines = text.split('\n')
  for (const { line } of found) lines[line - 1] = lines[line - 1]?.endsWith('\r') === true ? '\r' : ''
  return lines.join('\n')
}

/** Returns where in the text an order begins; null if there is no order. */
function placeOfOrder(text: string): number | null {
  const readersAt = [...text.matchAll(addressed)].map((each) => ({ from: each.index, to: each.index + each[0].length }))
  if (readersAt.length === 0) return null
  for (const demand of text.matchAll(demanded)) {
    const [from, to] = [demand.index, demand.index + demand[0].length]
    if (condition.test(sentenceAround(text, from, to))) continue
    const reader = readersAt.find((each) => each.from - to <= mostBetween && from - each.to <= mostBetween)
    if (reader !== undefined) return Math.min(reader.from, from)
  }
  return null
}

function sentenceAround(text: string, from: number, to: number): string {
  const before =
    text
      .slice(Math.max(0, from - 120), from)
      .split(/[.!?;]/u)
      .at(-1) ?? ''
  const after = text.slice(to, to + 120).split(/[.!?;]/u)[0] ?? ''
  return `${before}${text.slice(from, to)}${after}`
}

function excerpt(text: string, at: number): string {
  const from = text.length <= longestText ? 0 : Math.min(at, text.length - longestText)
  return text.slice(from, from + longestText).trim()
}
