#!/usr/bin/env node
// Adds up a CSV of orders (RFC 4180) from standard input and prints the sums as JSON.

/** Splits CSV text into records; quotes may contain commas, line breaks and doubled quotes. */
function* records(text) {
  let fields = []
  let field = ''
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (quoted) {
      if (char !== '"') field += char
      else if (text[at + 1] === '"') field += text[(at += 1)]
      else quoted = false
    } else if (char === '"') {
      quoted = true
    } else if (char === ',') {
      fields.push(field)
      field = ''
    } else if (char === '\n') {
      yield [...fields, field]
      fields = []
      field = ''
    } else if (char !== '\r') {
      field += char
    }
  }
  if (field !== '' || fields.length > 0) yield [...fields, field]
}

/** Returns money in whole cents, so that 0.1 + 0.2 is 0.3. */
function cents(amount) {
  const [, sign, whole, decimals = ''] = /^\s*(-?)(\d+)(?:\.(\d{1,2}))?\s*$/.exec(amount)
  const value = Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
  return sign === '-' ? -value : value
}

function money(value) {
  const digits = String(Math.abs(value)).padStart(3, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

let text = ''
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk

const sums = new Map()
let orders = 0
let total = 0
for (const [order, city, , amount] of [...records(text)].slice(1)) {
  if (order === '' && city === undefined) continue
  orders += 1
  total += cents(amount)
  sums.set(city, (sums.get(city) ?? 0) + cents(amount))
}

const byName = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
const cities = Object.fromEntries(byName.map(([city, sum]) => [city, money(sum)]))
console.log(JSON.stringify({ orders, total: money(total), cities }, null, 2))
