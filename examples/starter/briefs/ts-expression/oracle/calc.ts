import { readFileSync } from 'node:fs'

class BadValue extends Error {}
class BadPlace extends Error {
  readonly at: number
  constructor(at: number) {
    super()
    this.at = at
  }
}
type Value = () => bigint

class Parser {
  readonly text: string
  at = 0
  constructor(text: string) {
    this.text = text
  }

  whole(): Value {
    const value = this.sum()
    if (this.peek() !== '') throw new BadPlace(this.at)
    return value
  }

  peek(): string {
    while (this.text[this.at] === ' ') this.at += 1
    return this.text[this.at] ?? ''
  }

  sum(): Value {
    let left = this.product()
    for (let sign = this.peek(); sign === '+' || sign === '-'; sign = this.peek()) {
      this.at += 1
      left = both(sign, left, this.product())
    }
    return left
  }

  product(): Value {
    let left = this.unary()
    for (let sign = this.peek(); sign === '*' || sign === '/' || sign === '%'; sign = this.peek()) {
      this.at += 1
      left = both(sign, left, this.unary())
    }
    return left
  }

  unary(): Value {
    let isNegative = false
    for (; this.peek() === '-'; this.at += 1) isNegative = !isNegative
    const value = this.power()
    return isNegative ? () => -value() : value
  }

  power(): Value {
    const base = this.atom()
    if (this.peek() !== '^') return base
    this.at += 1
    return both('^', base, this.unary())
  }

  atom(): Value {
    const first = this.peek()
    if (first === '(') {
      this.at += 1
      const value = this.sum()
      if (this.peek() !== ')') throw new BadPlace(this.at)
      this.at += 1
      return value
    }
    const digits = /^[0-9]+/.exec(this.text.slice(this.at))?.[0]
    if (digits === undefined) throw new BadPlace(this.at)
    this.at += digits.length
    return () => BigInt(digits)
  }
}

function both(sign: string, left: Value, right: Value): Value {
  return () => {
    const [a, b] = [left(), right()]
    if ((sign === '/' || sign === '%') && b === 0n) throw new BadValue('division by zero')
    if (sign === '^' && b < 0n) throw new BadValue('negative exponent')
    return sign === '+' ? a + b : sign === '-' ? a - b : sign === '*' ? a * b : sign === '/' ? a / b : sign === '%' ? a % b : a ** b
  }
}

function answer(line: string): string {
  try {
    return String(new Parser(line).whole()())
  } catch (error) {
    if (error instanceof BadPlace) return `error at ${error.at + 1}`
    if (error instanceof BadValue) return `error: ${error.message}`
    throw error
  }
}

const lines = readFileSync(0, 'utf8').split('\n')
if (lines.at(-1) === '') lines.pop()
process.stdout.write(lines.map((each) => `${answer(each)}\n`).join(''))
